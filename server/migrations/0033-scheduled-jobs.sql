-- owner: scheduled-jobs
-- What is done later on behalf of an account, once or repeatedly.
create table scheduled_jobs (
  id id primary key,
  user_id id not null references users,
  kind text not null check (kind in ('text', 'call', 'status', 'reminder')),
  -- One entry in the format of `to` of a call; null for a status or a reminder.
  target jsonb,
  body text,
  tag_id id,
  visibility text check (visibility in ('public', 'followers')),
  -- As requested: a rule repeats from this time on.
  run_at timestamptz not null,
  timezone text not null,
  rrule text,
  state text not null check (state in ('scheduled', 'running', 'done', 'failed', 'cancelled')),
  -- The next or currently running occurrence; null if there is none.
  next_run_at timestamptz,
  -- When it is tried next: the same time, or later after an internal failure.
  due_at timestamptz,
  tries int not null default 0 check (tries >= 0),
  -- The call that rings the caller's own devices.
  call_id id,
  last_error text,
  -- The last runs, oldest first: [{at, state, error?}].
  runs jsonb not null default '[]',
  created_at timestamptz not null,
  -- When it reached its final state.
  ended_at timestamptz,
  check ((target is not null) = (kind in ('text', 'call'))),
  check ((state = 'scheduled') = (due_at is not null)),
  check ((state in ('done', 'failed', 'cancelled')) = (ended_at is not null))
);
create index scheduled_jobs_user on scheduled_jobs (user_id, id);
create index scheduled_jobs_state on scheduled_jobs (user_id, state, id);
create index scheduled_jobs_due on scheduled_jobs (due_at) where due_at is not null;
create index scheduled_jobs_call on scheduled_jobs (call_id) where state = 'running';
create index scheduled_jobs_ended on scheduled_jobs (ended_at) where ended_at is not null;
