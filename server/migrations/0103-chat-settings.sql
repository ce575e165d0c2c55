-- owner: chats
-- What somebody has set of a chat for themselves: silent until when, put away, or first in the list.
alter table dm_members
  add column muted_until timestamptz,
  add column archived boolean not null default false,
  add column pinned_at timestamptz;
drop index dm_members_place;
drop index dm_members_folder;
create index dm_members_place on dm_members (user_id, place) where folder in ('main', 'requests') and not archived;
create index dm_members_folder on dm_members (user_id, folder, place) where not archived;
create index dm_members_archived on dm_members (user_id, folder, place) where archived;
create index dm_members_pinned on dm_members (user_id, pinned_at) where pinned_at is not null;

alter table group_chat_reads
  add column muted_until timestamptz,
  add column archived boolean not null default false,
  add column pinned_at timestamptz;
create index group_chat_reads_pinned on group_chat_reads (user_id) where pinned_at is not null;
