-- owner: calendar
-- When something of an event is due next: every node looks for what is overdue, so that no start or reminder waits for a
-- job that a dead node had taken. Of events from before it is null until they are looked at the next time, by their job.
alter table calendar_events add column look_at timestamptz;
create index calendar_events_look on calendar_events (look_at) where look_at is not null;
