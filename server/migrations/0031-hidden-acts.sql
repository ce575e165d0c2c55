-- owner: notifications
-- What was told of somebody who is suspended, or of a thing that an operator has hidden: kept, but not shown.
alter table notification_acts add column hidden boolean not null default false;
alter table notifications add column hidden boolean not null default false;
drop index notifications_unread;
create index notifications_unread on notifications (user_id, id) where read_at is null and not hidden;
create index notification_acts_by on notification_acts (actor_id);
