-- owner: realtime
-- Who is connected, and to which nodes: accounts, and waiting guests of calls, since a host must not see those who have
-- closed the page. A node renews its rows; those of a dead node expire.
create table presence (
  user_id id references users,
  guest_id id references guests on delete cascade,
  person_id id generated always as (coalesce(user_id, guest_id)) stored,
  node_id text not null,
  since timestamptz not null,
  seen_at timestamptz not null,
  primary key (person_id, node_id),
  constraint presence_person check (num_nonnulls(user_id, guest_id) = 1)
);
create index presence_user on presence (user_id) where user_id is not null;
create index presence_guest on presence (guest_id) where guest_id is not null;
create index presence_node on presence (node_id);
create index presence_age on presence (seen_at);

-- Used grants, kept while they could be presented again. Losing them in a crash of the database is acceptable: grants
-- are valid for one minute, and the session is checked anyway.
create unlogged table spent_grants (
  nonce text primary key,
  expires_at timestamptz not null
);
