-- owner: tags
-- The account whose tag had the name: only its newest names stay reserved.
alter table held_tag_names add column owner_id id references users;
update held_tag_names h set owner_id = t.owner_id from tags t where t.id = h.tag_id;
alter table held_tag_names alter column owner_id set not null;
create index held_tag_names_owner on held_tag_names (owner_id, held_until desc);
