-- owner: calls
-- Since when a participant has a hand raised; one from before they last left is down.
alter table call_participants add column hand_raised_at timestamptz;
