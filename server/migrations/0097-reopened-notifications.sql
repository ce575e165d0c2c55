-- owner: notifications
-- One that was marked as unread again stands beside a newer one of its kind, and nothing more is folded into it.
alter table notifications add column reopened boolean not null default false;
drop index notifications_fold;
create unique index notifications_fold on notifications (user_id, kind, subject_type, subject_id)
  where read_at is null and not reopened;
