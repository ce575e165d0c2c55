-- owner: invites
-- Invites to the service. The address of each stands among the public links.
create table invites (
  id id primary key,
  user_id id not null references users,
  channel text not null check (channel in ('sms', 'email')),
  address text not null,
  message text,
  state text not null check (state in ('sent', 'accepted', 'revoked', 'expired')),
  accepted_by id references users,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  check ((state = 'accepted') = (accepted_by is not null))
);
create index invites_user on invites (user_id, id);
create unique index invites_open on invites (user_id, address) where state = 'sent';
create index invites_accepted_by on invites (accepted_by) where accepted_by is not null;
create index invites_ended on invites (expires_at) where state <> 'accepted';

alter table users add column invited_by id references users;

-- Who accepted an invite and who sent it have each other as contacts without learning a number or an e-mail: such a
-- contact names the account itself, as one more address under which accounts are looked for.
alter table contacts add column linked_user_id id references users;

create or replace function add_contact_addresses() returns trigger language plpgsql as $$
begin
  insert into contact_addresses (contact_id, owner_id, address, place)
  select c.id, c.owner_id, a.address, a.place from added c, addresses_of(c.phones, c.emails, c.tag_name) a
  union all
  select c.id, c.owner_id, c.linked_user_id, 0 from added c where c.linked_user_id is not null;
  return null;
end $$;

create or replace function replace_contact_addresses() returns trigger language plpgsql as $$
begin
  delete from contact_addresses where contact_id = new.id;
  insert into contact_addresses (contact_id, owner_id, address, place)
  select new.id, new.owner_id, a.address, a.place from addresses_of(new.phones, new.emails, new.tag_name) a
  union all
  select new.id, new.owner_id, new.linked_user_id, 0 where new.linked_user_id is not null;
  return null;
end $$;
drop trigger contacts_changed on contacts;
create trigger contacts_changed after update of phones, emails, tag_name, linked_user_id on contacts for each row
  when ((old.phones, old.emails, old.tag_name, old.linked_user_id)
    is distinct from (new.phones, new.emails, new.tag_name, new.linked_user_id))
  execute function replace_contact_addresses();
