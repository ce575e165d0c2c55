-- owner: chats
-- Messages in the chat of a group or a widget. A deleted message keeps its row, without its text.
create table chat_messages (
  id id primary key,
  group_id id references groups on delete cascade,
  widget_id id references widgets on delete cascade,
  -- In the chat of a widget: the guest of the conversation, or null for a notice to all guests. A message without an
  -- author was written by that guest.
  guest_id id references guests on delete cascade,
  author_id id references users,
  kind text not null check (kind in ('text', 'media', 'system')),
  body text not null,
  file_id id references files on delete set null,
  reply_to_id id,
  -- A forwarded message: the text and files of another one that the sender could read. Its author is not disclosed.
  forwarded boolean not null default false,
  -- Whether it has ever had a reaction: a page of messages loads reactions only for those that have.
  has_reactions boolean not null default false,
  -- Members who had a block between them and the author when it was written. It stays hidden from them.
  hidden_from text[] not null default '{}',
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  constraint chat_messages_place check (num_nonnulls(group_id, widget_id) = 1)
);
create index chat_messages_group on chat_messages (group_id, id) where group_id is not null;
create index chat_messages_author on chat_messages (author_id, id) where author_id is not null;
create index chat_messages_file on chat_messages (file_id) where file_id is not null;
create index chat_messages_widget on chat_messages (widget_id, id) where widget_id is not null;
create index chat_messages_guest on chat_messages (widget_id, guest_id, id) where widget_id is not null;
create index chat_messages_guest_id on chat_messages (guest_id) where guest_id is not null;
create index chat_messages_words on chat_messages using gin (words_in(group_id, folded_words(body))) with (fastupdate = off)
  where deleted_at is null and group_id is not null;
create index chat_messages_widget_words on chat_messages using gin (words_in(widget_id, folded_words(body))) with (fastupdate = off)
  where deleted_at is null and widget_id is not null;

-- How far each member has read in the chat of a group, from the first message after they joined. Deleted when they
-- leave.
create table group_chat_reads (
  group_id id not null references groups on delete cascade,
  user_id id not null references users,
  since_id id not null,
  read_up_to id,
  unread_count int not null default 0 check (unread_count >= 0),
  muted_until timestamptz,
  archived boolean not null default false,
  pinned_at timestamptz,
  primary key (group_id, user_id)
);
create index group_chat_reads_user on group_chat_reads (user_id, group_id);
create index group_chat_reads_pinned on group_chat_reads (user_id) where pinned_at is not null;

create table chat_edits (
  message_id id not null references chat_messages on delete cascade,
  number int not null,
  body text not null,
  replaced_at timestamptz not null,
  primary key (message_id, number)
);

create table chat_reactions (
  message_id id not null references chat_messages on delete cascade,
  user_id id references users,
  -- A guest of the widget.
  guest_id id references guests on delete cascade,
  emoji text not null,
  created_at timestamptz not null,
  reactor_id id generated always as (coalesce(user_id, guest_id)) stored,
  primary key (message_id, reactor_id),
  constraint chat_reactions_reactor check (num_nonnulls(user_id, guest_id) = 1)
);
create index chat_reactions_user on chat_reactions (user_id, message_id);
create index chat_reactions_guest on chat_reactions (guest_id) where guest_id is not null;

create function mark_chat_reactions() returns trigger language plpgsql as $$
begin
  update chat_messages set has_reactions = true where id = new.message_id and not has_reactions;
  return null;
end $$;
create trigger chat_reactions_added after insert on chat_reactions for each row execute function mark_chat_reactions();
