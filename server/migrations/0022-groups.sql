-- owner: groups
create table groups (
  id id primary key,
  owner_id id not null references users,
  name text not null,
  description text not null,
  avatar_file_id id references files on delete set null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index groups_owner on groups (owner_id, id) where deleted_at is null;
create index groups_avatar on groups (avatar_file_id) where avatar_file_id is not null;

-- Invites of group owners. People who have accepted are members; to the owner, a declined invite looks pending.
create table group_invites (
  id id primary key,
  group_id id not null references groups on delete cascade,
  user_id id not null references users,
  state text not null check (state in ('pending', 'accepted', 'declined', 'left')),
  -- Declined automatically: the invited person was not notified.
  quiet boolean not null default false,
  created_at timestamptz not null,
  decided_at timestamptz,
  -- When it was declined, which applies to later invites to the group too.
  declined_at timestamptz
);
create unique index group_invites_open on group_invites (group_id, user_id) where state in ('pending', 'accepted');
create index group_invites_user on group_invites (user_id, state, id) where not quiet;
create index group_invites_joined on group_invites (user_id, group_id) where state = 'accepted';
create index group_invites_group on group_invites (group_id, user_id);
create index group_invites_of on group_invites (user_id);

-- Contacts of the owner. A contact with an account has an invite; when that was withdrawn, or deleted with the account,
-- the contact is an ordinary member. The invite is not a foreign key, so that removing invites does not wait for the
-- removal of members.
create table group_members (
  group_id id not null references groups on delete cascade,
  contact_id id not null references contacts on delete cascade,
  invite_id id,
  added_at timestamptz not null,
  primary key (group_id, contact_id)
);
create unique index group_members_invite on group_members (invite_id) where invite_id is not null;
create index group_members_contact on group_members (contact_id);
