-- owner: contacts
-- Photos of contacts. The contact names its photo among its details, as imports and their rollback handle it like the rest;
-- a row here says that the file is stored, until no contact and no import that can be undone names it any more.
create table contact_photos (
  key id primary key,
  owner_id id not null references users,
  -- When it was last stored, or found to be named.
  checked_at timestamptz not null
);
create index contact_photos_owner on contact_photos (owner_id, key);
create index contact_photos_checked on contact_photos (checked_at);
create index contacts_photo on contacts (owner_id, (details ->> 'photo')) where details ->> 'photo' is not null;
