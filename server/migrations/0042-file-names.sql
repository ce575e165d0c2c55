-- owner: files
-- What a document was called where it was uploaded from; pictures, sound and films keep no name, as they keep no metadata.
alter table files add column name text check (name <> '' and length(name) <= 160);
