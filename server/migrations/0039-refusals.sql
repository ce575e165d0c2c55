-- owner: kernel
-- Fails the statement that asks for it, and the transaction with it: so what decides a change may travel with its events and
-- its commit, where nothing is made of the answer but that it was refused.
create function refuse(reason text) returns boolean language plpgsql volatile as $$
begin
  raise exception using errcode = 'AS001', message = reason;
end $$;
