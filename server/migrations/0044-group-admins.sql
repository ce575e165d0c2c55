-- owner: groups
-- Admins change the group, its members and its link as its owner does.
alter table group_invites add column is_admin boolean not null default false;
alter table group_invites add constraint group_invites_admin check (state = 'accepted' or not is_admin);
-- Who joined by the link of a group is in nobody's address book.
alter table group_members drop constraint group_members_pkey;
alter table group_members alter column contact_id drop not null;
alter table group_members add constraint group_members_contact_or_invite check (contact_id is not null or invite_id is not null);
create unique index group_members_place on group_members (group_id, contact_id);
