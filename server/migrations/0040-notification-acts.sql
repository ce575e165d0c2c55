-- owner: notifications
-- The acts of one person in one notification, of which the newest are kept.
create index notification_acts_of_actor on notification_acts (user_id, actor_id, notification_id, created_at, source_id);
drop index notification_acts_actor;
-- What accumulated before.
delete from notification_acts a using (
  select source_id, user_id, row_number() over (partition by notification_id, actor_id order by created_at desc, source_id desc) as place
  from notification_acts where actor_id is not null) old
where old.place > 100 and a.source_id = old.source_id and a.user_id = old.user_id;
