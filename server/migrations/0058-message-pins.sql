-- owner: chats
-- Messages that are pinned in the chat of a group, or in a thread. A deleted message is no longer in the list.
alter table chat_messages add column pinned boolean not null default false;
alter table dm_messages add column pinned boolean not null default false;
create index chat_messages_group_pinned on chat_messages (group_id, id)
  where pinned and deleted_at is null and group_id is not null;
create index dm_messages_pinned on dm_messages (thread_id, id) where pinned and deleted_at is null;
