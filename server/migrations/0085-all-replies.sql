-- owner: statuses
-- Hidden replies are looked for by their status too, when that is deleted or shown to fewer; they are few, so that the lists,
-- which leave them out, lose nothing by one index for all.
drop index replies_status;
create index replies_status on replies (status_id, id);
