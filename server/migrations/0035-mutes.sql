-- owner: mutes
-- Who is shown less of whom. A mute works one way, and the muted person is not notified.
create table mutes (
  id id primary key,
  user_id id not null references users,
  muted_id id not null references users,
  created_at timestamptz not null,
  unique (user_id, muted_id)
);
create index mutes_user on mutes (user_id, id);
create index mutes_muted on mutes (muted_id);
