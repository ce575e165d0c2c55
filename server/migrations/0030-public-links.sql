-- owner: public-links
-- Addresses that open one thing without an account. Revoked, expired and unknown addresses get the same response.
create table public_links (
  -- The hash of the token in the address.
  token_hash text primary key,
  kind text not null check (kind in ('event', 'feed', 'location', 'invite')),
  -- What it opens: an event, the owner of a feed, a location link, an invite.
  subject_id id not null,
  owner_id id not null references users,
  -- The encrypted token, if the address can be shown to its owner again.
  sealed text,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);
-- At most one valid address for an event or a feed.
create unique index public_links_open on public_links (kind, subject_id) where revoked_at is null and kind in ('event', 'feed');
-- By what they open: without it, each look-up of a location link or an invite reads the links of all accounts.
create index public_links_subject on public_links (subject_id);
-- For the deletion of links that have ended.
create index public_links_end on public_links (least(revoked_at, expires_at));
create index public_links_owner on public_links (owner_id, kind);
