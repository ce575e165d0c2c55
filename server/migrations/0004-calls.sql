-- owner: calls
create table calls (
  id id primary key,
  join_code id not null unique,
  host_id id not null references users,
  state text not null,
  privacy text not null,
  media text not null,
  group_id id,
  started_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  -- Since when nobody has been connected or rung.
  empty_since timestamptz
);

create table call_participants (
  id id primary key,
  call_id id not null references calls,
  user_id id references users,
  name text not null,
  state text not null,
  role text not null,
  silent boolean not null default false,
  rung_at timestamptz,
  joining_at timestamptz,
  joined_at timestamptz,
  left_at timestamptz,
  unique (call_id, user_id)
);
create index call_participants_user on call_participants (user_id, call_id);
-- One active call an account: whoever is on the way into a call or in one holds this.
create unique index call_participants_active on call_participants (user_id) where state in ('joining', 'joined');

create table call_messages (
  id id primary key,
  call_id id not null references calls,
  author_id id references users,
  kind text not null,
  body text not null,
  created_at timestamptz not null
);
create index call_messages_call on call_messages (call_id, id);
