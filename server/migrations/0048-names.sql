-- owner: kernel
-- Columns by the terms of the glossary.
alter table dm_members rename column place to sort_key;
alter table calendar_events rename column look_at to next_check_at;
alter index calendar_events_look rename to calendar_events_next_check;
alter table call_participants rename column silent to suppressed;
alter table call_participants rename column quiet to not_alerted;
