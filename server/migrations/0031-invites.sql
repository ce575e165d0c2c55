-- owner: invites
-- Invites to the service. Their addresses are in public_links.
create table invites (
  id id primary key,
  user_id id not null references users,
  channel text not null check (channel in ('sms', 'email')),
  address text not null,
  message text,
  state text not null check (state in ('sent', 'accepted', 'revoked', 'expired')),
  accepted_by id references users,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  check ((state = 'accepted') = (accepted_by is not null))
);
create index invites_user on invites (user_id, id);
create unique index invites_open on invites (user_id, address) where state = 'sent';
create index invites_accepted_by on invites (accepted_by) where accepted_by is not null;
create index invites_ended on invites (expires_at) where state <> 'accepted';
