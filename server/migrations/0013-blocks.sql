-- owner: blocks
create table blocks (
  id id primary key,
  blocker_id id not null references users,
  blocked_id id not null references users,
  created_at timestamptz not null,
  unique (blocker_id, blocked_id)
);
create index blocks_blocker on blocks (blocker_id, id);
create unique index blocks_blocked on blocks (blocked_id, blocker_id);

-- A block works both ways: every pair of people with a block between them, in both directions.
create view blocked_pairs as
  select blocker_id as user_id, blocked_id as other_id from blocks
  union all
  select blocked_id, blocker_id from blocks;
