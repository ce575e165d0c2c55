-- owner: mutes
-- Who wants to hear less of whom. It works one way, and the muted is not told.
create table mutes (
  id id primary key,
  user_id id not null references users,
  muted_id id not null references users,
  created_at timestamptz not null,
  unique (user_id, muted_id)
);
create index mutes_user on mutes (user_id, id);
create index mutes_muted on mutes (muted_id);
