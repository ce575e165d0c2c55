-- owner: dm
-- What two people write to each other alone. There is one thread a pair.
create table dm_threads (
  id id primary key,
  low_id id not null references users,
  high_id id not null references users,
  -- Who opened it, and from the first message on who wrote that.
  initiator_id id not null references users,
  state text not null check (state in ('pending', 'active', 'declined')),
  last_message_id id,
  created_at timestamptz not null,
  decided_at timestamptz,
  check (low_id < high_id),
  unique (low_id, high_id)
);
create index dm_threads_high on dm_threads (high_id);

create table dm_messages (
  id id primary key,
  thread_id id not null references dm_threads on delete cascade,
  sender_id id not null references users,
  body text not null,
  media_count int not null default 0,
  created_at timestamptz not null,
  -- What was deleted leaves its place, without its words.
  deleted_at timestamptz
);
create index dm_messages_thread on dm_messages (thread_id, id);

-- A thread as each of its two sees it.
create table dm_members (
  thread_id id not null references dm_threads on delete cascade,
  user_id id not null references users,
  peer_id id not null references users,
  -- Where it stands: none (not seen), main, requests, declined.
  folder text not null check (folder in ('none', 'main', 'requests', 'declined')),
  -- The place in the list: the newest message's identifier, or the thread's, without its prefix.
  place id not null,
  unread_count int not null default 0 check (unread_count >= 0),
  read_up_to id,
  primary key (thread_id, user_id)
);
create index dm_members_place on dm_members (user_id, place) where folder in ('main', 'requests');
create index dm_members_folder on dm_members (user_id, folder, place);
create index dm_members_unread on dm_members (user_id) where unread_count > 0 or folder = 'requests';
