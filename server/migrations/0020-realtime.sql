-- owner: realtime
-- Who is connected, by the nodes that hold their connections. A node renews its rows; those of a dead one grow old.
create table presence (
  user_id id not null references users,
  node_id text not null,
  since timestamptz not null,
  seen_at timestamptz not null,
  primary key (user_id, node_id)
);
create index presence_node on presence (node_id);
create index presence_age on presence (seen_at);

-- Grants that were used, for as long as they could be tried again. A crash of the database may forget them: they are
-- good for a minute, and the session is asked all the same.
create unlogged table spent_grants (
  nonce text primary key,
  expires_at timestamptz not null
);
