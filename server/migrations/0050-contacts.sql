-- owner: contacts
-- Address books. A contact belongs to one account; numbers stand in E.164, addresses and tag names in lower case.
create table contacts (
  id id primary key,
  owner_id id not null references users,
  name text not null,
  phones jsonb not null,
  emails jsonb not null,
  tag_name id,
  im jsonb not null,
  note text not null,
  favourite boolean not null,
  -- Counts up with each edit, so that whoever wrote a contact can tell whether it is still as they left it.
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index contacts_owner on contacts (owner_id, id);
create index contacts_favourite on contacts (owner_id, id) where favourite;

-- Every number, e-mail and *tag of a contact, in the order in which accounts are looked for by them. It answers from both
-- sides: which account a contact is, and who has an account among their contacts.
create table contact_addresses (
  contact_id id not null references contacts on delete cascade,
  owner_id id not null,
  address id not null,
  place int not null,
  primary key (contact_id, address)
);
create index contact_addresses_owner on contact_addresses (owner_id, address, contact_id);

create function addresses_of(phones jsonb, emails jsonb, tag_name text) returns table (address text, place int)
language sql immutable parallel safe as $$
  select address, min(place)::int from (
    select one ->> 'number' as address, at as place from jsonb_array_elements(phones) with ordinality as phone (one, at)
    union all
    select one ->> 'address', 100 + at from jsonb_array_elements(emails) with ordinality as email (one, at)
    union all
    select '*' || tag_name, 200 where tag_name is not null) known
  group by address
$$;

-- Kept by triggers, so that they equal what stands in the contacts, whoever writes these and however many at once.
create function add_contact_addresses() returns trigger language plpgsql as $$
begin
  insert into contact_addresses (contact_id, owner_id, address, place)
  select c.id, c.owner_id, a.address, a.place from added c, addresses_of(c.phones, c.emails, c.tag_name) a;
  return null;
end $$;

create function replace_contact_addresses() returns trigger language plpgsql as $$
begin
  delete from contact_addresses a using before b join changed c on c.id = b.id
  where a.contact_id = c.id
    and (b.phones, b.emails, b.tag_name) is distinct from (c.phones, c.emails, c.tag_name);
  insert into contact_addresses (contact_id, owner_id, address, place)
  select c.id, c.owner_id, a.address, a.place
  from before b join changed c on c.id = b.id, addresses_of(c.phones, c.emails, c.tag_name) a
  where (b.phones, b.emails, b.tag_name) is distinct from (c.phones, c.emails, c.tag_name);
  return null;
end $$;

create trigger contacts_added after insert on contacts
  referencing new table as added for each statement execute function add_contact_addresses();
create trigger contacts_changed after update on contacts
  referencing old table as before new table as changed for each statement execute function replace_contact_addresses();
