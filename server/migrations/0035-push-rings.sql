-- owner: push
-- The call for which a device was last made to ring: told once when that ring is over, and then forgotten.
alter table push_tokens add column ringing_call_id id;
