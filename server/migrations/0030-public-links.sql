-- owner: public-links
-- Addresses that open one thing without an account. Whatever they open, an address that was withdrawn, has expired or was
-- never given out is gone in the same way.
create table public_links (
  -- Of the token in the address.
  token_hash text primary key,
  kind text not null check (kind in ('event', 'feed', 'location', 'invite')),
  -- What it opens: an event, the owner of a feed, a location link, an invite.
  subject_id id not null,
  owner_id id not null references users,
  -- The token, where its owner is shown the address again.
  sealed text,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);
-- One address at a time for what has only one.
create unique index public_links_open on public_links (kind, subject_id) where revoked_at is null and kind in ('event', 'feed');
create index public_links_owner on public_links (owner_id, kind);
