-- owner: kernel
-- Aborts the calling statement and its transaction. A check can thereby be sent in one round trip with the events and
-- the commit of a change, if its result is only used to refuse the change.
create function refuse(reason text) returns boolean language plpgsql volatile as $$
begin
  raise exception using errcode = 'AS001', message = reason;
end $$;
