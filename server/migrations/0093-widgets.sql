-- owner: widgets
-- A tag's chat, call or follow button on the pages of others.
create table widgets (
  id id primary key,
  owner_id id not null references users,
  tag_id id not null references tags,
  group_id id references groups on delete set null,
  kind text not null check (kind in ('call', 'chat', 'follow')),
  title text not null,
  theme jsonb not null,
  allowed_origins text[] not null check (cardinality(allowed_origins) between 1 and 20),
  enabled boolean not null,
  -- In the page of everybody who embeds it: it names the widget and opens nothing.
  public_key text not null unique,
  -- Tokens of guests from before this are over.
  guests_since timestamptz not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index widgets_owner on widgets (owner_id, id) where deleted_at is null;
create index widgets_group on widgets (group_id, id) where deleted_at is null and group_id is not null;
create index widgets_tag on widgets (tag_id) where deleted_at is null;
create index widgets_origins on widgets using gin (allowed_origins) where deleted_at is null and enabled;

-- Somebody without an account, for an hour.
create table widget_guests (
  id id primary key,
  widget_id id not null references widgets on delete cascade,
  name text not null,
  token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index widget_guests_widget on widget_guests (widget_id, id);
create index widget_guests_expiry on widget_guests (expires_at);

-- In the chat of a widget `guest_id` is whose conversation it is, none for a notice to all guests. Without an author it
-- was written by that guest.
alter table chat_messages
  add column widget_id id references widgets on delete cascade,
  add column guest_id id references widget_guests on delete cascade,
  add constraint chat_messages_place check (num_nonnulls(group_id, widget_id) = 1);
create index chat_messages_widget on chat_messages (widget_id, id) where widget_id is not null;
create index chat_messages_guest on chat_messages (widget_id, guest_id, id) where widget_id is not null;
create index chat_messages_guest_id on chat_messages (guest_id) where guest_id is not null;

-- A guest in a call is a participant without a user.
alter table call_participants add column guest_id id references widget_guests on delete set null;
create unique index call_participants_guest_active on call_participants (guest_id) where state in ('joining', 'joined');
create index call_participants_guest on call_participants (guest_id) where guest_id is not null;
