-- owner: recordings
-- Whether a participant's client asks them before they are recorded; those of other clients are told by the notice alone.
alter table call_participants add column asks_consent boolean not null default false;

-- What participants answered. Who is asked and has not agreed is not recorded.
create table recording_consents (
  recording_id id not null references recordings on delete cascade,
  participant_id id not null references call_participants on delete cascade,
  agreed boolean not null,
  decided_at timestamptz not null,
  primary key (recording_id, participant_id)
);
create index recording_consents_participant on recording_consents (participant_id);
