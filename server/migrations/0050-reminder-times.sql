-- owner: notifications
-- For a reminder of an event: how long before its start it is.
alter table notifications add column minutes_before int check (minutes_before >= 0);
