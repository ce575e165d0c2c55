-- owner: realtime
-- Who is connected, and to which nodes. A node renews its rows; those of a dead node expire.
create table presence (
  user_id id not null references users,
  node_id text not null,
  since timestamptz not null,
  seen_at timestamptz not null,
  primary key (user_id, node_id)
);
create index presence_node on presence (node_id);
create index presence_age on presence (seen_at);

-- Used grants, kept while they could be presented again. Losing them in a crash of the database is acceptable: grants
-- are valid for one minute, and the session is checked anyway.
create unlogged table spent_grants (
  nonce text primary key,
  expires_at timestamptz not null
);
