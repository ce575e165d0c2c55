-- owner: contacts
-- What else a card says of somebody: organisation, job, birthday, postal addresses.
alter table contacts add column details jsonb not null default '{}';
