-- owner: calendar
create table calendar_events (
  id id primary key,
  owner_id id not null references users,
  title text not null,
  description text,
  location text,
  -- For an all-day event, midnight in its time zone.
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  all_day boolean not null,
  timezone text not null,
  rrule text,
  -- The last start if the rule has a COUNT, in seconds of local time.
  rule_end_s bigint,
  -- As in the API: dates for all-day events, otherwise timestamps.
  exdates text[] not null default '{}',
  -- A span that contains all occurrences. Its end may be later than that of the last one, and is infinity if there is
  -- no last one.
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Minutes before each occurrence.
  reminders int[] not null default '{}',
  call_enabled boolean not null default false,
  -- Permanent: kept when the call is switched off and on again.
  join_code text,
  -- The start of the current occurrence, or else of the next one; null after the last one. Updated by the job that also
  -- sends the notifications of starts.
  next_starts_at timestamptz,
  -- The time up to which starts and reminders have been notified.
  notified_until timestamptz not null,
  -- When the next start or reminder is due. Every node looks for overdue events, so that none waits for a job that a
  -- dead node had locked.
  next_check_at timestamptz,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (ends_at > starts_at)
);
create index calendar_events_owner on calendar_events (owner_id, id);
create index calendar_events_span on calendar_events (owner_id, last_at, first_at);
create index calendar_events_next on calendar_events (owner_id, next_starts_at) where next_starts_at is not null;
create index calendar_events_next_check on calendar_events (next_check_at) where next_check_at is not null;
create unique index calendar_events_join_code on calendar_events (join_code) where join_code is not null;

-- The people with whom an event is shared.
create table calendar_guests (
  event_id id not null references calendar_events on delete cascade,
  user_id id not null references users,
  created_at timestamptz not null,
  primary key (event_id, user_id)
);
create index calendar_guests_user on calendar_guests (user_id, event_id);

-- The number of the last change in the calendar of a person. Every change locks this row, so that numbers are in the
-- order of commits.
create table calendar_users (
  user_id id primary key references users,
  seq bigint not null default 0,
  -- The newest purged deletion: a client that has not received it must synchronise from the beginning.
  forgotten_seq bigint not null default 0
);

-- The last change of each event for each person who sees it, kept for some time after the event was deleted.
create table calendar_changes (
  user_id id not null references users,
  event_id id not null,
  seq bigint not null,
  deleted_at timestamptz,
  primary key (user_id, event_id)
);
create unique index calendar_changes_seq on calendar_changes (user_id, seq);
create index calendar_changes_deleted on calendar_changes (deleted_at) where deleted_at is not null;

-- The last change that a session has acknowledged.
create table calendar_acks (
  session_id id primary key references sessions on delete cascade,
  user_id id not null references users,
  seq bigint not null,
  acknowledged_at timestamptz not null
);
create index calendar_acks_user on calendar_acks (user_id);
