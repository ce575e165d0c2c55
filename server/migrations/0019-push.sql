-- owner: push
create table push_tokens (
  -- The hash of what names the device at its push service, so that a device that changes hands has one owner.
  hash id primary key,
  user_id id not null references users,
  session_id id not null references sessions on delete cascade,
  platform text not null check (platform in ('ios', 'android', 'web')),
  -- The token or the subscription, sealed: whoever reads the database cannot push.
  sealed text not null,
  -- The call for which the device was last made to ring: told once when that ring is over, and then forgotten.
  ringing_call_id id,
  created_at timestamptz not null
);
create index push_tokens_user on push_tokens (user_id);
create index push_tokens_session on push_tokens (session_id);
