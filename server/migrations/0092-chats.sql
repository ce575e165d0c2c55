-- owner: chats
-- What is written in the chat of a group. What was deleted leaves its place, without its words.
create table chat_messages (
  id id primary key,
  group_id id references groups on delete cascade,
  author_id id references users,
  kind text not null check (kind in ('text', 'media', 'system')),
  body text not null,
  file_id id references files on delete set null,
  reply_to_id id,
  -- Members whom a block kept apart from the author when it was written: it stays hidden from them.
  hidden_from text[] not null default '{}',
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz
);
create index chat_messages_group on chat_messages (group_id, id) where group_id is not null;
create index chat_messages_author on chat_messages (author_id, id) where author_id is not null;
create index chat_messages_file on chat_messages (file_id) where file_id is not null;

-- How far each member has read in the chat of a group. It begins with the first message after they came, and goes when they go.
create table group_chat_reads (
  group_id id not null references groups on delete cascade,
  user_id id not null references users,
  since_id id not null,
  read_up_to id,
  unread_count int not null default 0 check (unread_count >= 0),
  primary key (group_id, user_id)
);
create index group_chat_reads_user on group_chat_reads (user_id, group_id);
