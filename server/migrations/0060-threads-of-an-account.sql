-- owner: dm
-- The threads of an account are read in the order of the other person, from either side.
create index dm_threads_high_low on dm_threads (high_id, low_id);
drop index dm_threads_high;
