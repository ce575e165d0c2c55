-- owner: contacts
-- How many contacts an address book holds, kept by triggers: counting them at each addition costs as much as the book is
-- long. A row of its own, since a deletion that locked the owner's row could wait for an import in a circle.
create table contact_counts (
  owner_id id primary key references users,
  count int not null check (count >= 0)
);
insert into contact_counts (owner_id, count) select owner_id, count(*) from contacts group by owner_id;

create or replace function add_contact_addresses() returns trigger language plpgsql as $$
begin
  insert into contact_addresses (contact_id, owner_id, address, place)
  select c.id, c.owner_id, a.address, a.place from added c, addresses_of(c.phones, c.emails, c.tag_name) a
  where c.tag_name is not null or c.phones <> '[]' or c.emails <> '[]'
  union all
  select c.id, c.owner_id, c.linked_user_id, 0 from added c where c.linked_user_id is not null;
  insert into contact_counts as kept (owner_id, count) select owner_id, count(*) from added group by owner_id
  on conflict (owner_id) do update set count = kept.count + excluded.count;
  return null;
end $$;

create function count_removed_contacts() returns trigger language plpgsql as $$
begin
  update contact_counts kept set count = kept.count - gone.count
  from (select owner_id, count(*) as count from removed group by owner_id) gone where kept.owner_id = gone.owner_id;
  return null;
end $$;
create trigger contacts_removed after delete on contacts referencing old table as removed
  for each statement execute function count_removed_contacts();
