-- owner: contacts
-- Address books. A contact belongs to one account; numbers are in E.164, addresses and tag names in lower case.
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
  -- Further fields of a contact card: organisation, job, birthday, postal addresses.
  details jsonb not null default '{}',
  -- When an invite is accepted, both people become contacts of each other without learning a number or an e-mail: such
  -- a contact references the account itself, as one more address for the match.
  linked_user_id id references users,
  -- Increased by each edit, so that a writer can tell whether the contact has changed since.
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index contacts_owner on contacts (owner_id, id);
create index contacts_favourite on contacts (owner_id, id) where favourite;
create index contacts_name on contacts (owner_id, name_order(name), id);
-- For commands, which name a contact by its whole name or the first words of it.
create index contacts_owner_name on contacts (owner_id, (lower(name) collate "C"));
create index contacts_photo on contacts (owner_id, (details ->> 'photo')) where details ->> 'photo' is not null;

-- Stored photos of contacts. A contact references its photo in `details`, so that imports and rollbacks treat it like
-- other fields; a row here is kept until no contact and no import that can be rolled back references the file.
create table contact_photos (
  key id primary key,
  owner_id id not null references users,
  -- When it was last stored, or last found to be referenced.
  checked_at timestamptz not null,
  -- Counts towards the storage of the owner.
  size_bytes int not null default 0 check (size_bytes >= 0)
);
create index contact_photos_owner on contact_photos (owner_id, key);
create index contact_photos_checked on contact_photos (checked_at);

-- Every number, e-mail and *tag of a contact, in the order in which they are matched with accounts. It serves both
-- directions: the match of a contact, and who has an account among their contacts.
create table contact_addresses (
  contact_id id not null references contacts on delete cascade,
  owner_id id not null,
  address id not null,
  place int not null,
  primary key (contact_id, address)
);
create index contact_addresses_owner on contact_addresses (owner_id, address, contact_id);
create index contact_addresses_address on contact_addresses (address, owner_id);

-- The number of contacts of an address book, maintained by triggers, because counting at each addition takes time
-- proportional to its size. A separate row, since a deletion that locked the row of the owner could deadlock with an
-- import.
create table contact_counts (
  owner_id id primary key references users,
  count int not null check (count >= 0)
);

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

-- Maintained by triggers, so that addresses always equal the contacts, whichever statement writes these. Checking whether
-- a new contact has any costs less than an empty insert.
create function add_contact_addresses() returns trigger language plpgsql as $$
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
create trigger contacts_added after insert on contacts
  referencing new table as added for each statement execute function add_contact_addresses();

-- A row trigger: one statement may change thousands of contacts, most of them without changed addresses, which then
-- cost nothing. A statement trigger would run a plan cached for one row as a join of thousands.
create function replace_contact_addresses() returns trigger language plpgsql as $$
begin
  delete from contact_addresses where contact_id = new.id;
  insert into contact_addresses (contact_id, owner_id, address, place)
  select new.id, new.owner_id, a.address, a.place from addresses_of(new.phones, new.emails, new.tag_name) a
  union all
  select new.id, new.owner_id, new.linked_user_id, 0 where new.linked_user_id is not null;
  return null;
end $$;
create trigger contacts_changed after update of phones, emails, tag_name, linked_user_id on contacts for each row
  when ((old.phones, old.emails, old.tag_name, old.linked_user_id)
    is distinct from (new.phones, new.emails, new.tag_name, new.linked_user_id))
  execute function replace_contact_addresses();

create function count_removed_contacts() returns trigger language plpgsql as $$
begin
  update contact_counts kept set count = kept.count - gone.count
  from (select owner_id, count(*) as count from removed group by owner_id) gone where kept.owner_id = gone.owner_id;
  return null;
end $$;
create trigger contacts_removed after delete on contacts referencing old table as removed
  for each statement execute function count_removed_contacts();

-- The parsed content of an import file, shown to its owner until they commit it or it expires.
create table contact_import_previews (
  id id primary key,
  owner_id id not null references users,
  source text not null check (source in ('vcard', 'csv', 'json')),
  -- [{row, draft}]: the draft is a contact, or null if the row cannot be imported.
  rows jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index contact_import_previews_owner on contact_import_previews (owner_id, id);
create index contact_import_previews_age on contact_import_previews (expires_at);

create table contact_imports (
  id id primary key,
  owner_id id not null references users,
  source text not null check (source in ('vcard', 'csv', 'json')),
  state text not null check (state in ('committed', 'rolled_back')),
  created int not null,
  updated int not null,
  skipped int not null,
  -- How many contacts a rollback left unchanged, because they were edited or deleted after the import.
  left_count int not null default 0,
  created_at timestamptz not null,
  rolled_back_at timestamptz
);
create index contact_imports_owner on contact_imports (owner_id, id);

-- The changes of an import: each contact as it was before (null if the import created it), and its revision afterwards.
create table contact_import_changes (
  import_id id not null references contact_imports on delete cascade,
  contact_id id not null,
  before jsonb,
  revision int not null,
  primary key (import_id, contact_id)
);

-- The contacts that a person calls at once: their favourites.
create table grid_members (
  owner_id id not null references users,
  contact_id id not null references contacts on delete cascade,
  -- The sort order; gaps have no meaning.
  position int not null,
  created_at timestamptz not null,
  primary key (owner_id, contact_id)
);
create index grid_members_contact on grid_members (contact_id);
