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

-- Whom an owner asked to be in a group. Who has accepted is in it; a denial goes on looking open to the owner.
create table group_invites (
  id id primary key,
  group_id id not null references groups on delete cascade,
  user_id id not null references users,
  state text not null check (state in ('pending', 'accepted', 'declined', 'left')),
  -- Declined unseen: the invited was never told of it.
  quiet boolean not null default false,
  created_at timestamptz not null,
  decided_at timestamptz,
  -- Since when an answer of no holds, for later invites to the group too.
  declined_at timestamptz
);
create unique index group_invites_open on group_invites (group_id, user_id) where state in ('pending', 'accepted');
create index group_invites_user on group_invites (user_id, state, id) where not quiet;
create index group_invites_joined on group_invites (user_id, group_id) where state = 'accepted';
create index group_invites_group on group_invites (group_id, user_id);
create index group_invites_of on group_invites (user_id);

-- Contacts of the owner. One who is a user has an invite; where that is gone, withdrawn or with the user's account, the
-- contact is a member like others. It is no foreign key, so that whoever removes invites waits for nobody who removes members.
create table group_members (
  group_id id not null references groups on delete cascade,
  contact_id id not null references contacts on delete cascade,
  invite_id id,
  added_at timestamptz not null,
  primary key (group_id, contact_id)
);
create unique index group_members_invite on group_members (invite_id) where invite_id is not null;
create index group_members_contact on group_members (contact_id);
