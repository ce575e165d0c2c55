-- owner: realtime
-- When an account switched on that it shows when it was last online: it is told of no earlier times of others, so that nobody
-- switches it on only to look.
alter table users add column last_seen_since timestamptz;
