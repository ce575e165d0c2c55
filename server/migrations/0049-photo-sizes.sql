-- owner: contacts
-- Photos of contacts count towards the storage of their owner; those from before this column do not.
alter table contact_photos add column size_bytes int not null default 0 check (size_bytes >= 0);
