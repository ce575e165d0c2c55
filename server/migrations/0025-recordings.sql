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
  -- Who started to speak when: the identity in the room, and the name at that time.
  chapters jsonb not null default '[]',
  -- For each file its participant and start; one entry without a name if all were mixed into one file.
  tracks jsonb not null default '[]'
);
-- At most one active recording per call.
create unique index recordings_under_way on recordings (call_id) where state in ('announced', 'recording');
create index recordings_call on recordings (call_id, id);
create index recordings_starter on recordings (started_by, id);

-- The person who started it and everybody who was in the call while it was recorded. `hidden` means that they removed
-- it from their own list.
create table recording_listeners (
  user_id id not null references users,
  recording_id id not null references recordings on delete cascade,
  hidden boolean not null default false,
  primary key (user_id, recording_id)
);
create index recording_listeners_recording on recording_listeners (recording_id);

-- Adds everybody who joins a call that is being recorded, in whichever way they join.
create function add_recording_listener() returns trigger language plpgsql as $$
begin
  insert into recording_listeners (user_id, recording_id)
  select new.user_id, r.id from recordings r where r.call_id = new.call_id and r.state = 'recording'
  on conflict do nothing;
  return null;
end $$;
create trigger call_participants_recorded after insert or update of state on call_participants
  for each row when (new.state = 'joined' and new.user_id is not null) execute function add_recording_listener();

-- The answers of participants. A participant who was asked and has not agreed is not recorded.
create table recording_consents (
  recording_id id not null references recordings on delete cascade,
  participant_id id not null references call_participants on delete cascade,
  agreed boolean not null,
  decided_at timestamptz not null,
  primary key (recording_id, participant_id)
);
create index recording_consents_participant on recording_consents (participant_id);
