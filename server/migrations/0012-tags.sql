-- owner: tags
create table tags (
  id id primary key,
  name id not null,
  owner_id id not null references users,
  title text not null,
  description text not null,
  visibility text not null check (visibility in ('public', 'unlisted', 'private')),
  follow_policy text not null check (follow_policy in ('open', 'approval')),
  comments_open boolean not null default true,
  follower_count int not null default 0 check (follower_count >= 0),
  status_count int not null default 0 check (status_count >= 0),
  public_status_count int not null default 0 check (public_status_count >= 0),
  -- The number of attached files, so that tags without any (most of them) need no lookup.
  media_count int not null default 0 check (media_count >= 0),
  -- The popularity on a logarithmic scale: it changes only when the followers double or halve, so that a follow rarely
  -- updates an index.
  popularity smallint not null generated always as (floor(log(2, follower_count + 1))::smallint) stored,
  -- The searchable text, stored: computing it for each tag found by an index was most of the cost of a search.
  searched text not null generated always as (search_text(name, title, description)) stored,
  created_at timestamptz not null,
  hidden_at timestamptz,
  deleted_at timestamptz
) with (fillfactor = 70);
create unique index tags_name on tags (name) where deleted_at is null;
create index tags_owner on tags (owner_id, id) where deleted_at is null;
create index tags_search on tags using gin (searched gin_trgm_ops)
  with (gin_pending_list_limit = 64) where deleted_at is null and visibility = 'public';
create index tags_spelling on tags using gin (spelling_keys(searched))
  with (gin_pending_list_limit = 64) where deleted_at is null and visibility = 'public';
create index tags_prefix on tags (name) where deleted_at is null and visibility = 'public';
create index tags_popular on tags (popularity desc, id desc) where deleted_at is null and visibility = 'public';

-- Names that stay reserved for a tag for some time after it was renamed or deleted.
create table held_tag_names (
  name id primary key,
  tag_id id not null references tags,
  held_until timestamptz not null,
  -- The account whose tag had the name: only its newest names stay reserved.
  owner_id id not null references users
);
create index held_tag_names_tag on held_tag_names (tag_id);
create index held_tag_names_owner on held_tag_names (owner_id, held_until desc);
create index held_tag_names_age on held_tag_names (held_until);
