-- owner: chats
-- What is done to a message of a group once it is written: what it said before, and what people feel about it.
create table chat_edits (
  message_id id not null references chat_messages on delete cascade,
  number int not null,
  body text not null,
  replaced_at timestamptz not null,
  primary key (message_id, number)
);

create table chat_reactions (
  message_id id not null references chat_messages on delete cascade,
  user_id id not null references users,
  emoji text not null,
  created_at timestamptz not null,
  primary key (message_id, user_id)
);
create index chat_reactions_user on chat_reactions (user_id, message_id);
