-- owner: inbox
create table inbox_messages (
  id id primary key,
  user_id id not null references users,
  kind text not null check (kind in ('text', 'voicemail', 'videomail', 'missed_call', 'system')),
  from_user_id id references users,
  -- E.164, if it came from a phone.
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
-- For the number of unread messages from one sender: a stranger may leave one.
create index inbox_messages_sender on inbox_messages (user_id, from_user_id, kind) where read_at is null;
create index inbox_messages_file on inbox_messages (file_id) where file_id is not null;
-- One item per call: a voicemail replaces the missed call that it follows.
create unique index inbox_messages_call on inbox_messages (user_id, call_id) where call_id is not null;

-- Senders who have left a message with a stranger who has not answered yet. This is independent of the inbox, so that
-- the sender cannot tell whether the message was read or deleted.
create table unanswered_mail (
  receiver_id id not null references users,
  sender_id id not null references users,
  sent_at timestamptz not null,
  primary key (receiver_id, sender_id)
);
create index unanswered_mail_sender on unanswered_mail (sender_id);

-- Who last sent a text to a number through the service: a reply from that number goes to them for some time.
create table text_writers (
  number text primary key,
  user_id id not null references users,
  written_at timestamptz not null
);
create index text_writers_user on text_writers (user_id);
create index text_writers_written on text_writers (written_at);

-- Received texts by the identifier of the provider, which may deliver one twice.
create table incoming_texts (
  provider_id text primary key,
  received_at timestamptz not null
);
create index incoming_texts_received on incoming_texts (received_at);
