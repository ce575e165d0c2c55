-- owner: dm
-- What is done to a direct message once it is written: what it answers, what it said before, and what people feel about it.
alter table dm_messages add column reply_to_id id, add column edited_at timestamptz;

create table dm_edits (
  message_id id not null references dm_messages on delete cascade,
  number int not null,
  body text not null,
  replaced_at timestamptz not null,
  primary key (message_id, number)
);

create table dm_reactions (
  message_id id not null references dm_messages on delete cascade,
  user_id id not null references users,
  emoji text not null,
  created_at timestamptz not null,
  primary key (message_id, user_id)
);
create index dm_reactions_user on dm_reactions (user_id, message_id);
