-- owner: widgets
-- The origin of the page on which a guest of a widget came: the guest ends with it. Null for guests by link, and for
-- those of earlier versions, whose page is not known.
alter table guests add column web_origin text;
