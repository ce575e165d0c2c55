-- owner: public-links
-- Links by which people join a group, at most one valid of each.
alter table public_links drop constraint public_links_kind_check;
alter table public_links add constraint public_links_kind_check check (kind in ('event', 'feed', 'location', 'invite', 'group'));
drop index public_links_open;
create unique index public_links_open on public_links (kind, subject_id) where revoked_at is null and kind in ('event', 'feed', 'group');
