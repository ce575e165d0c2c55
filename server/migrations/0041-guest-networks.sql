-- owner: call-guests
-- The network from which a guest asks to join a call, as a hash with the service's key: one may not fill a waiting room.
alter table guests add column network_hash text;
