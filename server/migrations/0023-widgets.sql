-- owner: widgets
-- The chat, call or follow button of a tag on other websites.
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
  -- Public in every page that embeds the widget: it identifies the widget and authorises nothing.
  public_key text not null unique,
  -- Guest tokens issued before this are invalid.
  guests_since timestamptz not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index widgets_owner on widgets (owner_id, id) where deleted_at is null;
-- Deleted widgets too: the deletion of a group applies to them.
create index widgets_group on widgets (group_id, id) where group_id is not null;
create index widgets_tag on widgets (tag_id) where deleted_at is null;
create index widgets_origins on widgets using gin (allowed_origins) where deleted_at is null and enabled;
