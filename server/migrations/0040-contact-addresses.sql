-- owner: contacts
-- As before, but the addresses are only inserted if a new contact has any: checking for them costs less than an empty
-- insert.
create or replace function add_contact_addresses() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from added c
    where c.tag_name is not null or c.phones <> '[]' or c.emails <> '[]' or c.linked_user_id is not null) then
    insert into contact_addresses (contact_id, owner_id, address, place)
    select c.id, c.owner_id, a.address, a.place from added c, addresses_of(c.phones, c.emails, c.tag_name) a
    where c.tag_name is not null or c.phones <> '[]' or c.emails <> '[]'
    union all
    select c.id, c.owner_id, c.linked_user_id, 0 from added c where c.linked_user_id is not null;
  end if;
  insert into contact_counts as kept (owner_id, count) select owner_id, count(*) from added group by owner_id
  on conflict (owner_id) do update set count = kept.count + excluded.count;
  return null;
end $$;
