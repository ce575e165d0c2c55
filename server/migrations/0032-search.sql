-- owner: tags
-- What is searched, in lower case by the database's own rules of letters, whatever its columns compare by.
create function search_text(one text, two text, three text) returns text language sql immutable parallel safe
  return lower(one collate "default" || ' ' || two || ' ' || three);

-- The words of a text, and each word of four letters or more with each of its letters left out. Two words are one letter
-- apart only if a key of one is a key of the other, so that near spellings are found by equality.
create function spelling_keys(words text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct key), '{}')
  from regexp_split_to_table(words collate "default", '[^[:alnum:]]+') as word,
    lateral (
      select word as key
      union all
      select overlay(word placing '' from at for 1) from generate_series(1, length(word)) as at
      where length(word) between 4 and 33) as keys
  where word <> '' and length(word) <= 100
$$;

drop index tags_search;
-- A short list of what is pending, in kB, because each search reads all of it.
create index tags_search on tags using gin (search_text(name, title, description) gin_trgm_ops)
  with (gin_pending_list_limit = 64) where deleted_at is null and visibility = 'public';
create index tags_spelling on tags using gin (spelling_keys(search_text(name, title, description)))
  with (gin_pending_list_limit = 64) where deleted_at is null and visibility = 'public';
create index tags_prefix on tags (name) where deleted_at is null and visibility = 'public';

create index users_search on users using gin (search_text(display_name, username, '') gin_trgm_ops)
  with (gin_pending_list_limit = 64) where deleted_at is null;
create index users_spelling on users using gin (spelling_keys(search_text(display_name, username, '')))
  with (gin_pending_list_limit = 64) where deleted_at is null;

-- Counts on these rows change often: with room on the page they change without touching an index.
alter table tags set (fillfactor = 70);
alter table users set (fillfactor = 80);
