-- owner: tags
-- How popular a tag is, in powers of two: the order of what very many hold. It changes with a doubling only, so that a
-- follow seldom touches an index.
alter table tags add column popularity smallint not null generated always as (floor(log(2, follower_count + 1))::smallint) stored;
create index tags_popular on tags (popularity desc, id desc) where deleted_at is null and visibility = 'public';
