-- owner: inbox
create table inbox_messages (
  id id primary key,
  user_id id not null references users,
  kind text not null,
  from_user_id id references users,
  -- E.164, when it came from a phone.
  from_number text,
  from_name text not null,
  body text not null default '',
  file_id id references files,
  transcript text,
  call_id id references calls,
  read_at timestamptz,
  created_at timestamptz not null
);
create index inbox_messages_user on inbox_messages (user_id, id);
create index inbox_messages_unread on inbox_messages (user_id, from_user_id) where read_at is null;
-- One call is one item: a voicemail takes the place of the missed call that it follows.
create unique index inbox_messages_call on inbox_messages (user_id, call_id) where call_id is not null;

alter table users add column do_not_disturb_until timestamptz;
