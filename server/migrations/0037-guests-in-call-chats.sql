-- owner: calls
-- A guest of the call who wrote it. Their row goes with their token, so that the name stands here.
alter table call_messages add column guest_id id;
alter table call_messages add column guest_name text;
alter table call_messages add constraint call_messages_author check (guest_id is null or (author_id is null and guest_name is not null));
