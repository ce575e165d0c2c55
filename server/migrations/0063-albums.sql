-- owner: chats
-- A message with several files: all of them are its uses of files, in their order, and `file_id` is the first.
alter table chat_messages add column is_album boolean not null default false;
alter table call_messages add column is_album boolean not null default false;
