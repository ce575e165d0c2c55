-- owner: notifications
-- Kinds and subjects have no check constraint, since one table in the code defines them: a new kind needs no migration.
create table notifications (
  id id primary key,
  user_id id not null references users,
  kind text not null,
  subject_type text not null,
  subject_id id not null,
  created_at timestamptz not null,
  read_at timestamptz,
  -- About a suspended person or content hidden by an operator: kept, but not shown.
  hidden boolean not null default false,
  -- Marked as unread again: newer actions of its kind are collected in a separate notification.
  reopened boolean not null default false,
  -- Why the run that a `job_failed` notification is about failed: the job keeps only the error of its latest run.
  failure text,
  -- For a reminder of an event: how long before its start it is.
  minutes_before int check (minutes_before >= 0)
);
create index notifications_user on notifications (user_id, id);
create index notifications_unread on notifications (user_id, id) where read_at is null and not hidden;
-- Unread notifications of the same kind and subject are merged into one.
create unique index notifications_fold on notifications (user_id, kind, subject_type, subject_id)
  where read_at is null and not reopened;
-- Notifications of a calendar event are deleted with it.
create index notifications_event on notifications (subject_id) where subject_type = 'event';

-- The single actions behind a notification. An action that is undone is removed, and the last one removes the
-- notification.
create table notification_acts (
  source_id id not null,
  user_id id not null references users,
  notification_id id not null references notifications on delete cascade,
  actor_id id references users,
  created_at timestamptz not null,
  hidden boolean not null default false,
  primary key (source_id, user_id)
);
create index notification_acts_notification on notification_acts (notification_id, created_at);
create index notification_acts_actor on notification_acts (user_id, actor_id);
create index notification_acts_by on notification_acts (actor_id);
