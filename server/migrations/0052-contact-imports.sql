-- owner: contacts
-- What was read of a file and shown to its owner, until they take it or it expires.
create table contact_import_previews (
  id id primary key,
  owner_id id not null references users,
  source text not null,
  -- [{row, draft}]: what can be kept, as contacts hold it, or null.
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
  source text not null,
  state text not null,
  created int not null,
  updated int not null,
  skipped int not null,
  -- How many contacts a rollback left, because they were edited or deleted since.
  left_count int not null default 0,
  created_at timestamptz not null,
  rolled_back_at timestamptz
);
create index contact_imports_owner on contact_imports (owner_id, id);

-- What an import did to each contact: what was there before, nothing for one that it made, and the revision that it left.
create table contact_import_changes (
  import_id id not null references contact_imports on delete cascade,
  contact_id id not null,
  before jsonb,
  revision int not null,
  primary key (import_id, contact_id)
);

-- Thousands of contacts change in one statement, most of them not in their addresses: row by row only those cost anything,
-- while a plan that was made for one row joins thousands with each other.
drop trigger contacts_changed on contacts;
drop function replace_contact_addresses;
create function replace_contact_addresses() returns trigger language plpgsql as $$
begin
  delete from contact_addresses where contact_id = new.id;
  insert into contact_addresses (contact_id, owner_id, address, place)
  select new.id, new.owner_id, a.address, a.place from addresses_of(new.phones, new.emails, new.tag_name) a;
  return null;
end $$;
create trigger contacts_changed after update of phones, emails, tag_name on contacts for each row
  when ((old.phones, old.emails, old.tag_name) is distinct from (new.phones, new.emails, new.tag_name))
  execute function replace_contact_addresses();
