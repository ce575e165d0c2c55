-- owner: kernel
-- Text compared bytewise, so that identifiers and keys sort the same in every server locale.
create domain id as text collate "C";

-- The state of the service itself, in one row.
create table service (
  singleton boolean primary key default true check (singleton),
  -- Changes when the database is restored, so that positions from before the restore are recognised as invalid.
  epoch text not null default substr(md5(random()::text || clock_timestamp()::text), 1, 6),
  forgotten_xid xid8 not null default '0',
  forgotten_position bigint not null default 0
);
insert into service default values;

-- The outbox: events in the order in which their transactions committed.
create table events (
  position bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  topic id not null,
  type text not null,
  -- The payload as sent to clients. Only rare deletions query it.
  data json not null,
  at timestamptz not null,
  -- Each event is written into every index, so there are only the two that are read: this order, and that per topic.
  primary key (xid, position)
);
create index events_topic on events (topic, xid, position);

-- The first response for each idempotency key.
create table idempotency (
  owner id not null,
  operation text not null,
  key_hash id not null,
  body_hash id not null,
  status int not null,
  reply text not null,
  created_at timestamptz not null,
  primary key (owner, operation, key_hash)
);
create index idempotency_age on idempotency (created_at);

-- Aborts the calling statement and its transaction. A check can thereby be sent in one round trip with the events and
-- the commit of a change, if its result is only used to refuse the change.
create function refuse(reason text) returns boolean language plpgsql volatile as $$
begin
  raise exception using errcode = 'AS001', message = reason;
end $$;

-- The next job of a queue can start only when the previous one has released the queue, which happens just after its
-- worker has looked for the next job. Without this notification the next job would wait for the next poll, up to one
-- second.
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
