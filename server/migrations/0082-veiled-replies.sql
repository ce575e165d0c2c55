-- owner: statuses
-- Replies of somebody suspended are not shown, and therefore not counted either.
alter table replies add column veiled boolean not null default false;
create or replace function count_replies() returns trigger language plpgsql as $$
declare
  step int := 0;
begin
  if tg_op <> 'INSERT' and old.hidden_at is null and not old.veiled then step := step - 1; end if;
  if tg_op <> 'DELETE' and new.hidden_at is null and not new.veiled then step := step + 1; end if;
  if step <> 0 then
    update statuses set reply_count = reply_count + step where id = coalesce(new.status_id, old.status_id);
  end if;
  return null;
end $$;
drop trigger replies_counted on replies;
create trigger replies_counted after insert or delete or update of hidden_at, veiled on replies
  for each row execute function count_replies();
update replies set veiled = true from users u where u.id = author_id and u.suspended_at is not null;
