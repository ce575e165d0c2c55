-- owner: notifications
-- Kinds and subjects are an open set, which stands in one table of the code: a new kind needs no migration.
create table notifications (
  id id primary key,
  user_id id not null references users,
  kind text not null,
  subject_type text not null,
  subject_id id not null,
  created_at timestamptz not null,
  read_at timestamptz,
  -- What was told of somebody who is suspended, or of a thing that an operator has hidden: kept, but not shown.
  hidden boolean not null default false,
  -- Marked as unread again: it stands beside a newer one of its kind, and nothing more is folded into it.
  reopened boolean not null default false
);
create index notifications_user on notifications (user_id, id);
create index notifications_unread on notifications (user_id, id) where read_at is null and not hidden;
-- Like ones are folded while unread.
create unique index notifications_fold on notifications (user_id, kind, subject_type, subject_id)
  where read_at is null and not reopened;
-- What was told of an event goes with it.
create index notifications_event on notifications (subject_id) where subject_type = 'event';

-- The single acts that a notification tells of. What makes an act void removes it, and the last one its notification.
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
