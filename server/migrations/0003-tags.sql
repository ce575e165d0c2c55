-- owner: tags
create extension if not exists pg_trgm;

create table tags (
  id id primary key,
  name id not null,
  owner_id id not null references users,
  title text not null,
  description text not null,
  visibility text not null,
  follow_policy text not null,
  follower_count int not null default 0,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create unique index tags_name on tags (name) where deleted_at is null;
create index tags_owner on tags (owner_id, id) where deleted_at is null;
create index tags_search on tags using gin ((name || ' ' || title) gin_trgm_ops) where deleted_at is null and visibility = 'public';
