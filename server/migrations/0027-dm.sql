-- owner: dm
-- What two people write to each other alone. There is one thread a pair.
create table dm_threads (
  id id primary key,
  low_id id not null references users,
  high_id id not null references users,
  -- Who opened it, and from the first message on who wrote that.
  initiator_id id not null references users,
  state text not null check (state in ('pending', 'active', 'declined')),
  -- Which one is the newest, its two sides tell by their place: so a message does not write this row.
  has_messages boolean not null default false,
  created_at timestamptz not null,
  decided_at timestamptz,
  check (low_id < high_id),
  unique (low_id, high_id)
);
create index dm_threads_high on dm_threads (high_id);

-- A thread as each of its two sees it.
create table dm_members (
  thread_id id not null references dm_threads on delete cascade,
  user_id id not null references users,
  peer_id id not null references users,
  -- Where it stands: none (not seen), main, requests, declined.
  folder text not null check (folder in ('none', 'main', 'requests', 'declined')),
  -- The place in the list: the newest message's identifier, before there is one the thread's, without its prefix.
  place id not null,
  unread_count int not null default 0 check (unread_count >= 0),
  read_up_to id,
  -- How far a device of theirs has what was written, as the device said. What they have read or written since counts too.
  delivered_up_to id,
  -- What somebody has set for themselves: silent until when, archived, or first in the list.
  muted_until timestamptz,
  archived boolean not null default false,
  pinned_at timestamptz,
  primary key (thread_id, user_id)
);
-- One for all lists: each message moves both sides of its thread, and is written into every index of them.
create index dm_members_list on dm_members (user_id, archived, folder, place);
create index dm_members_pinned on dm_members (user_id, pinned_at) where pinned_at is not null;
create index dm_members_unread on dm_members (user_id) where unread_count > 0 or folder = 'requests';

create table dm_messages (
  id id primary key,
  thread_id id not null,
  sender_id id not null,
  body text not null,
  media_count int not null default 0 check (media_count >= 0),
  reply_to_id id,
  -- The words and files of another message, sent on by somebody who could read it. Whose they were is not told.
  forwarded boolean not null default false,
  -- Whether anybody has ever reacted to it: a page of thirty asks for the reactions of those alone.
  has_reactions boolean not null default false,
  created_at timestamptz not null,
  edited_at timestamptz,
  -- What was deleted leaves its place, without its words.
  deleted_at timestamptz,
  -- Whoever writes is one of the two; a thread takes its messages with it.
  foreign key (thread_id, sender_id) references dm_members on delete cascade
);
create index dm_messages_thread on dm_messages (thread_id, id);
-- Without a list of what is pending: each search looks into the index once a chat, and would read all of that list each time.
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
