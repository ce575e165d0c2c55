-- owner: chats
-- When a member read, and received, up to where they are now: what is after `read_from` was read at `read_at`. Who has read a
-- message follows from these, so that nothing is stored for each reader of a message.
alter table group_chat_reads
  add column read_from id,
  add column read_at timestamptz,
  add column delivered_up_to id,
  add column delivered_from id,
  add column delivered_at timestamptz;

-- The pictures and videos, other files, and links of a chat.
alter table chat_messages
  add column has_media boolean not null default false,
  add column has_documents boolean not null default false,
  add column has_links boolean not null generated always as (body ~* 'https?://|www\.') stored;
alter table dm_messages
  add column has_media boolean not null default false,
  add column has_documents boolean not null default false,
  add column has_links boolean not null generated always as (body ~* 'https?://|www\.') stored;

update chat_messages m set has_media = fi.kind in ('image', 'video'), has_documents = fi.kind not in ('image', 'video')
  from files fi where fi.id = m.file_id;
update dm_messages m set has_media = of.has_media, has_documents = of.has_documents from (
  select fu.subject_id, bool_or(fi.kind in ('image', 'video')) as has_media, bool_or(fi.kind not in ('image', 'video')) as has_documents
  from file_uses fu join files fi on fi.id = fu.file_id where fu.subject_type = 'dm_message' group by 1) of
  where of.subject_id = m.id;

create index chat_messages_group_media on chat_messages (group_id, id)
  where has_media and deleted_at is null and group_id is not null;
create index chat_messages_group_documents on chat_messages (group_id, id)
  where has_documents and deleted_at is null and group_id is not null;
create index chat_messages_group_links on chat_messages (group_id, id)
  where has_links and deleted_at is null and group_id is not null;
create index dm_messages_media on dm_messages (thread_id, id) where has_media and deleted_at is null;
create index dm_messages_documents on dm_messages (thread_id, id) where has_documents and deleted_at is null;
create index dm_messages_links on dm_messages (thread_id, id) where has_links and deleted_at is null;
-- A page that would consist of hidden ones is read from those of the other authors (chat_messages_group_author).
create index chat_messages_details_author on chat_messages (group_id, author_id, hash_array_extended(hidden_from, 0), id)
  where (has_media or has_documents or has_links) and deleted_at is null and group_id is not null;
