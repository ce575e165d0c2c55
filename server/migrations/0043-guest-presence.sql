-- owner: realtime
-- Waiting guests of calls are present as accounts are: a host must not see those who have closed the page.
alter table presence add column guest_id id references guests on delete cascade;
alter table presence drop constraint presence_pkey;
alter table presence alter column user_id drop not null;
alter table presence add column person_id id generated always as (coalesce(user_id, guest_id)) stored;
alter table presence add primary key (person_id, node_id);
alter table presence add constraint presence_person check (num_nonnulls(user_id, guest_id) = 1);
create index presence_user on presence (user_id) where user_id is not null;
create index presence_guest on presence (guest_id) where guest_id is not null;
-- Since when a waiting guest has had no connection; null for one who has never had any.
alter table guests add column away_since timestamptz;
