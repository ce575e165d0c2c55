-- owner: realtime
-- Whether mutual followers see when somebody was last online, and that person when they were.
alter table users add column last_seen boolean not null default true;

-- When somebody's last connection ended; nothing is stored of those who have it switched off.
create table last_seen (
  user_id id primary key references users,
  at timestamptz not null
);
