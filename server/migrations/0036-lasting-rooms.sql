-- owner: rooms
-- A code of a tag or a group by which its people meet; each time that they do is a call of its own.
create table lasting_rooms (
  id id primary key,
  join_code id not null unique,
  tag_id id unique references tags on delete cascade,
  group_id id unique references groups on delete cascade,
  -- Who may come: of a group its members, of a tag whom its owner lets come.
  privacy text not null check (privacy in ('private', 'followers', 'public', 'members')),
  -- What a call of the room begins with: whether people without an account come by the link.
  guests text not null check (guests in ('off', 'ask', 'open')),
  created_at timestamptz not null,
  constraint lasting_rooms_place check (num_nonnulls(tag_id, group_id) = 1),
  constraint lasting_rooms_members check ((group_id is null) = (privacy <> 'members'))
);

-- The room whose call it is; it may be taken back while the call goes on.
alter table calls add column room_id id;
