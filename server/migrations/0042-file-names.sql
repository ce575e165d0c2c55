-- owner: files
-- The original name of an uploaded document; images, audio and video keep neither their name nor metadata.
alter table files add column name text check (name <> '' and length(name) <= 160);
