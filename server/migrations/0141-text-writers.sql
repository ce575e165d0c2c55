-- owner: inbox
-- Who had the service text a number last: whom an answer from that number is for, for a while.
create table text_writers (
  number text primary key,
  user_id id not null references users,
  written_at timestamptz not null
);
create index text_writers_user on text_writers (user_id);
create index text_writers_written on text_writers (written_at);

-- Texts that have come in, by their provider's name, since it may tell of one twice.
create table incoming_texts (
  provider_id text primary key,
  received_at timestamptz not null
);
create index incoming_texts_received on incoming_texts (received_at);
