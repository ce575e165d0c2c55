-- owner: calls
-- By which session somebody came into a call, how often their grants were withdrawn, and by a grant of which generation they came.
alter table call_participants
  add column session_id text,
  add column grant_generation integer not null default 0,
  add column admitted_generation integer;
create index call_participants_by_session on call_participants (session_id) where state in ('joining', 'joined', 'left');
