-- owner: rooms
-- A permanent code of a tag or a group by which its people meet, each time in a new call.
create table lasting_rooms (
  id id primary key,
  join_code id not null unique,
  tag_id id unique references tags on delete cascade,
  group_id id unique references groups on delete cascade,
  -- Who may join: for a group its members, for a tag as its owner has set.
  privacy text not null check (privacy in ('private', 'followers', 'public', 'members')),
  -- The initial value for calls of the room: whether people without an account can join by the link.
  guests text not null check (guests in ('off', 'ask', 'open')),
  created_at timestamptz not null,
  constraint lasting_rooms_place check (num_nonnulls(tag_id, group_id) = 1),
  constraint lasting_rooms_members check ((group_id is null) = (privacy <> 'members'))
);

-- The room of the call; it may be deleted while the call continues.
alter table calls add column room_id id;
