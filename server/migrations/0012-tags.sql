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
  -- How many files it names, so that tags without any, the most, cost no look-up.
  media_count int not null default 0 check (media_count >= 0),
  -- How popular it is, in powers of two: it changes with a doubling only, so that a follow seldom touches an index.
  popularity smallint not null generated always as (floor(log(2, follower_count + 1))::smallint) stored,
  -- What is searched, kept beside it: making it anew for each tag that an index names was most of what a search cost.
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

-- Names that are held for their tag for a while after it was renamed or deleted.
create table held_tag_names (
  name id primary key,
  tag_id id not null references tags,
  held_until timestamptz not null
);
create index held_tag_names_tag on held_tag_names (tag_id);
create index held_tag_names_age on held_tag_names (held_until);
