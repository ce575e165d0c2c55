-- owner: accounts
create table users (
  id id primary key,
  username id not null,
  password_hash text not null,
  display_name text not null,
  bio text not null default '',
  avatar_key text,
  email id,
  email_verified boolean not null default false,
  mobile_number id,
  mobile_verified boolean not null default false,
  -- When the number was verified on this account.
  mobile_verified_at timestamptz,
  tier text not null default 'free' check (tier in ('free', 'plus')),
  timezone text not null default 'UTC',
  locale text not null default 'en',
  reach jsonb not null default '{"message": "everyone", "call": "everyone", "add": "everyone", "find": "contacts"}',
  do_not_disturb_until timestamptz,
  -- Whether others see how far this person has read; a person who switches this off does not see it of others either.
  read_receipts boolean not null default true,
  muted_kinds text[] not null default '{}',
  -- Whether pushes include the text of messages.
  push_text boolean not null default true,
  storage_bytes bigint not null default 0 check (storage_bytes >= 0),
  invited_by id references users,
  created_at timestamptz not null,
  suspended_at timestamptz,
  deleted_at timestamptz
) with (fillfactor = 80); -- Free space for HOT updates: counters change often, and then update no index.
create unique index users_username on users (username) where deleted_at is null;
create unique index users_email on users (email) where deleted_at is null and email_verified;
create unique index users_mobile on users (mobile_number) where deleted_at is null and mobile_verified;
-- A short pending list (in kB), because each search scans all of it.
create index users_search on users using gin (search_text(display_name, username, '') gin_trgm_ops)
  with (gin_pending_list_limit = 64) where deleted_at is null;
create index users_spelling on users using gin (spelling_keys(search_text(display_name, username, '')))
  with (gin_pending_list_limit = 64) where deleted_at is null;
-- Small, since few accounts are suspended: every read of messages and calls checks it.
create index users_suspended on users (id) where suspended_at is not null;

create table sessions (
  id id primary key,
  user_id id not null references users,
  device text not null,
  ip text not null,
  -- The token pair in use. A pair whose parent is this one has been issued but not used yet.
  pair bigint not null default 1,
  last_pair bigint not null default 1,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_user on sessions (user_id, id) where revoked_at is null;

create table session_tokens (
  hash id primary key,
  session_id id not null references sessions on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  pair bigint not null,
  parent bigint not null,
  expires_at timestamptz not null
);
create index session_tokens_session on session_tokens (session_id);

-- Codes that were sent and not yet entered: for registration, sign-in or a mobile number.
create table challenges (
  id id primary key,
  purpose text not null check (purpose in ('register', 'login', 'mobile')),
  user_id id references users,
  username id,
  channel text not null check (channel in ('email', 'sms')),
  address id not null,
  code_hash id not null,
  replaced_hashes text[] not null default '{}',
  tries int not null default 0 check (tries >= 0),
  sends int not null default 1,
  -- The data of the account to register, or the number to verify.
  data jsonb not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz
);
create index challenges_username on challenges (username, expires_at) where purpose = 'register' and closed_at is null;
create index challenges_user on challenges (user_id, purpose) where closed_at is null;
create index challenges_age on challenges (expires_at);

-- Links that were sent: for sign-in without a password, or a password reset.
create table sent_links (
  hash id primary key,
  purpose text not null check (purpose in ('magic', 'reset')),
  user_id id not null references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz
);
create index sent_links_user on sent_links (user_id, purpose) where closed_at is null;

create table im_identities (
  id id primary key,
  user_id id not null references users,
  network text not null,
  handle text not null,
  created_at timestamptz not null
);
create unique index im_identities_one on im_identities (user_id, network, lower(handle));
create index im_identities_user on im_identities (user_id, id);

-- An account that has proved to control a number verified on another account. After a waiting period the number moves
-- to it.
create table mobile_claims (
  mobile_number id not null,
  claimant_id id not null references users,
  created_at timestamptz not null,
  primary key (mobile_number, claimant_id)
);
