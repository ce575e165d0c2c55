-- owner: calendar
create table calendar_events (
  id id primary key,
  owner_id id not null references users,
  title text not null,
  description text,
  location text,
  -- Of an event of whole days: the midnights of its zone.
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  all_day boolean not null,
  timezone text not null,
  rrule text,
  -- The last start by the rule's COUNT, in seconds of the wall clock.
  rule_end_s bigint,
  -- As on the wire: dates for whole days, moments otherwise.
  exdates text[] not null default '{}',
  -- The span in which all occurrences lie; the end may be later than the last one's, and is infinity without any.
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Minutes before each occurrence.
  reminders int[] not null default '{}',
  call_enabled boolean not null default false,
  -- Lasting: kept when the call is switched off and on again.
  join_code text,
  -- The start of the occurrence that goes on, or else of the next one, kept up by the job that also tells of starts; null
  -- after the last one.
  next_starts_at timestamptz,
  -- Up to when starts and reminders have been notified of.
  notified_until timestamptz not null,
  -- When something of it is due next: every node looks for what is overdue, so that no start or reminder waits for a job
  -- that a dead node had taken.
  look_at timestamptz,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (ends_at > starts_at)
);
create index calendar_events_owner on calendar_events (owner_id, id);
create index calendar_events_span on calendar_events (owner_id, last_at, first_at);
create index calendar_events_next on calendar_events (owner_id, next_starts_at) where next_starts_at is not null;
create index calendar_events_look on calendar_events (look_at) where look_at is not null;
create unique index calendar_events_join_code on calendar_events (join_code) where join_code is not null;

-- With whom an event is shared.
create table calendar_guests (
  event_id id not null references calendar_events on delete cascade,
  user_id id not null references users,
  created_at timestamptz not null,
  primary key (event_id, user_id)
);
create index calendar_guests_user on calendar_guests (user_id, event_id);

-- The number of the last change of what somebody sees in their calendar. Whoever changes it holds this row, so that the
-- order of numbers is the order in which changes commit.
create table calendar_users (
  user_id id primary key references users,
  seq bigint not null default 0,
  -- The newest deletion that is forgotten: who has not heard of it begins afresh.
  forgotten_seq bigint not null default 0
);

-- The last change of each event for each who sees it: what remains of a deleted one for a while.
create table calendar_changes (
  user_id id not null references users,
  event_id id not null,
  seq bigint not null,
  deleted_at timestamptz,
  primary key (user_id, event_id)
);
create unique index calendar_changes_seq on calendar_changes (user_id, seq);
create index calendar_changes_deleted on calendar_changes (deleted_at) where deleted_at is not null;

-- Up to where a session has taken the changes in.
create table calendar_acks (
  session_id id primary key references sessions on delete cascade,
  user_id id not null references users,
  seq bigint not null,
  acknowledged_at timestamptz not null
);
create index calendar_acks_user on calendar_acks (user_id);
