-- owner: statuses
-- Who likes a status; how many do is counted on it, so that no list counts rows.
create table status_likes (
  id id not null,
  status_id id not null references statuses on delete cascade,
  user_id id not null references users,
  created_at timestamptz not null,
  primary key (status_id, user_id)
);
create index status_likes_user on status_likes (user_id, status_id);
alter table statuses add column like_count int not null default 0 check (like_count >= 0);
