-- owner: recordings
create table recordings (
  id id primary key,
  call_id id not null references calls,
  started_by id not null references users,
  state text not null check (state in ('announced', 'recording', 'processing', 'ready', 'failed')),
  announced_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  duration_ms int,
  -- Who began to speak when.
  chapters jsonb not null default '[]',
  -- Of each file: whose it is and when it begins; one line without a name when they are mixed into one.
  tracks jsonb not null default '[]'
);
-- One at a time in a call.
create unique index recordings_under_way on recordings (call_id) where state in ('announced', 'recording');
create index recordings_call on recordings (call_id, id);
create index recordings_starter on recordings (started_by, id);

-- Whoever was in it and took it from their own list.
create table recordings_hidden (
  recording_id id not null references recordings on delete cascade,
  user_id id not null references users,
  primary key (recording_id, user_id)
);
create index recordings_hidden_user on recordings_hidden (user_id);

-- What participants answered. Who is asked and has not agreed is not recorded.
create table recording_consents (
  recording_id id not null references recordings on delete cascade,
  participant_id id not null references call_participants on delete cascade,
  agreed boolean not null,
  decided_at timestamptz not null,
  primary key (recording_id, participant_id)
);
create index recording_consents_participant on recording_consents (participant_id);
