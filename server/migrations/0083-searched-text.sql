-- owner: tags
-- What is searched of a tag, kept beside it: a search looks at it of each tag that an index names, and putting it
-- together and folding its letters was most of what that cost.
alter table tags add column searched text not null generated always as (search_text(name, title, description)) stored;
drop index tags_search;
create index tags_search on tags using gin (searched gin_trgm_ops)
  with (gin_pending_list_limit = 64) where deleted_at is null and visibility = 'public';
drop index tags_spelling;
create index tags_spelling on tags using gin (spelling_keys(searched))
  with (gin_pending_list_limit = 64) where deleted_at is null and visibility = 'public';
-- Which words are common is read from the statistics of the index, which are gone with the old one.
analyze tags;
