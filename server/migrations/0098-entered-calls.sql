-- owner: calls
-- When somebody first came into a call: from then on they read its chat, also after they have left and come back.
alter table call_participants add column entered_at timestamptz;
update call_participants set entered_at = coalesce(joining_at, joined_at);

create function note_entered() returns trigger language plpgsql as $$
begin
  new.entered_at := coalesce(new.joining_at, new.joined_at);
  return new;
end $$;
create trigger call_participants_entered before insert or update on call_participants
  for each row when (new.entered_at is null) execute function note_entered();
