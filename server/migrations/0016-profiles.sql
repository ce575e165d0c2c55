-- owner: profiles
create table comments (
  id id primary key,
  tag_id id not null references tags,
  author_id id not null references users,
  body text not null,
  mentions jsonb not null default '[]',
  created_at timestamptz not null,
  hidden_at timestamptz
);
create index comments_tag on comments (tag_id, id) where hidden_at is null;
create index comments_author on comments (author_id, tag_id);
