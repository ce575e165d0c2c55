-- owner: notifications
alter table users add column muted_kinds text[] not null default '{}';

create table notifications (
  id id primary key,
  user_id id not null references users,
  kind text not null,
  subject_type text not null,
  subject_id id not null,
  created_at timestamptz not null,
  read_at timestamptz
);
create index notifications_user on notifications (user_id, id);
create index notifications_unread on notifications (user_id, id) where read_at is null;
-- Like ones are folded while unread.
create unique index notifications_fold on notifications (user_id, kind, subject_type, subject_id) where read_at is null;

-- The single acts that a notification tells of. What makes an act void removes it, and the last one its notification.
create table notification_acts (
  source_id id not null,
  user_id id not null references users,
  notification_id id not null references notifications on delete cascade,
  actor_id id references users,
  created_at timestamptz not null,
  primary key (source_id, user_id)
);
create index notification_acts_notification on notification_acts (notification_id, created_at);
create index notification_acts_actor on notification_acts (user_id, actor_id);
