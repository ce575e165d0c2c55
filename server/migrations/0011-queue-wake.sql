-- owner: kernel
-- A job of a queue can be taken once the one before it has let go of the queue, which happens a moment after its worker
-- has looked for the next one. Without a word the next job would wait for the next turn of polling, up to a second.
create function wake_job_queue() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from graphile_worker._private_jobs
    where job_queue_id = new.id and locked_at is null and attempts < max_attempts and run_at <= now()
  ) then
    perform pg_notify('jobs:insert', json_build_object('r', random(), 'count', 1)::text);
  end if;
  return null;
end $$;
create trigger wake_job_queue after update of locked_at on graphile_worker._private_job_queues
  for each row when (old.locked_at is not null and new.locked_at is null) execute function wake_job_queue();
