-- owner: dm
-- Direct messages of two people. There is one thread per pair.
create table dm_threads (
  id id primary key,
  low_id id not null references users,
  high_id id not null references users,
  -- The person who opened it; from the first message on, the sender of that message.
  initiator_id id not null references users,
  state text not null check (state in ('pending', 'active', 'declined')),
  -- Which message is the newest is in dm_members.sort_key, so that a new message does not update this row.
  has_messages boolean not null default false,
  created_at timestamptz not null,
  decided_at timestamptz,
  check (low_id < high_id),
  unique (low_id, high_id)
);
create index dm_threads_high on dm_threads (high_id);

-- The state of a thread for each of its two people.
create table dm_members (
  thread_id id not null references dm_threads on delete cascade,
  user_id id not null references users,
  peer_id id not null references users,
  -- The folder of the thread for this person: none (not shown), main, requests, declined.
  folder text not null check (folder in ('none', 'main', 'requests', 'declined')),
  -- The sort key of the list: the identifier of the newest message, or of the thread if it has none, without the
  -- prefix.
  sort_key id not null,
  unread_count int not null default 0 check (unread_count >= 0),
  read_up_to id,
  -- The newest message whose delivery a device of theirs has confirmed. What they have read or sent since counts as
  -- delivered too.
  delivered_up_to id,
  -- Personal settings: muted until, archived, or pinned to the top of the list.
  muted_until timestamptz,
  archived boolean not null default false,
  pinned_at timestamptz,
  primary key (thread_id, user_id)
);
-- One index for all lists: each message moves the thread in the lists of both people and updates every index of this
-- table.
create index dm_members_list on dm_members (user_id, archived, folder, sort_key);
create index dm_members_pinned on dm_members (user_id, pinned_at) where pinned_at is not null;
create index dm_members_unread on dm_members (user_id) where unread_count > 0 or folder = 'requests';

create table dm_messages (
  id id primary key,
  thread_id id not null,
  sender_id id not null,
  body text not null,
  media_count int not null default 0 check (media_count >= 0),
  reply_to_id id,
  -- A forwarded message: the text and files of another one that the sender could read. Its author is not disclosed.
  forwarded boolean not null default false,
  -- Whether it has ever had a reaction: a page of messages loads reactions only for those that have.
  has_reactions boolean not null default false,
  created_at timestamptz not null,
  edited_at timestamptz,
  -- A deleted message keeps its row, without its text.
  deleted_at timestamptz,
  -- The sender is one of the two people; messages are deleted with their thread.
  foreign key (thread_id, sender_id) references dm_members on delete cascade
);
create index dm_messages_thread on dm_messages (thread_id, id);
-- No pending list (fastupdate): each search reads the index once per chat and would scan the whole pending list each
-- time.
create index dm_messages_words on dm_messages using gin (words_in(thread_id, folded_words(body))) with (fastupdate = off)
  where deleted_at is null;

create table dm_edits (
  message_id id not null references dm_messages on delete cascade,
  number int not null,
  body text not null,
  replaced_at timestamptz not null,
  primary key (message_id, number)
);

create table dm_reactions (
  message_id id not null references dm_messages on delete cascade,
  user_id id not null references users,
  emoji text not null,
  created_at timestamptz not null,
  primary key (message_id, user_id)
);
create index dm_reactions_user on dm_reactions (user_id, message_id);

create function mark_dm_reactions() returns trigger language plpgsql as $$
begin
  update dm_messages set has_reactions = true where id = new.message_id and not has_reactions;
  return null;
end $$;
create trigger dm_reactions_added after insert on dm_reactions for each row execute function mark_dm_reactions();
