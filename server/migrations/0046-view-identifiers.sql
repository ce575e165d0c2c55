-- owner: location
-- The identifier of the latest view, by which the list is sorted and paged: its time in 48 bits of base 32, like every
-- identifier, and digits that make it unique.
alter table location_views add column id id;
update location_views set id = 'view_' || (
    select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
      ((floor(extract(epoch from last_at) * 1000)::bigint >> (5 * place)) & 31)::int + 1, 1), '' order by place desc)
    from generate_series(0, 9) place)
  || substr(md5(owner_id || coalesce(viewer_id, link_id)), 1, 16);
alter table location_views alter column id set not null;
create unique index location_views_place on location_views (owner_id, id);
drop index location_views_owner;
