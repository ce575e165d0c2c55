-- owner: push
create table push_tokens (
  -- The hash of the device's identifier at its push service, so that a device that changes accounts belongs to one
  -- only.
  hash id primary key,
  user_id id not null references users,
  session_id id not null references sessions on delete cascade,
  platform text not null check (platform in ('ios', 'android', 'web')),
  -- The token or subscription, encrypted: read access to the database does not suffice to send pushes.
  sealed text not null,
  -- The call that the device was last rung for. Cleared when the ring is over, of which the device is notified once.
  ringing_call_id id,
  created_at timestamptz not null
);
create index push_tokens_user on push_tokens (user_id);
create index push_tokens_session on push_tokens (session_id);
