-- owner: realtime
-- Grants that were used, for as long as they could be tried again. A crash of the database may forget them: they are
-- good for a minute, and the session is asked all the same.
create unlogged table spent_grants (
  nonce text primary key,
  expires_at timestamptz not null
);
