-- owner: chats
-- Chats that their reader has marked as unread, until they are read.
alter table dm_members add column marked_unread boolean not null default false;
alter table group_chat_reads add column marked_unread boolean not null default false;
