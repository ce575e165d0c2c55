-- owner: kernel
-- Functions for search: lower-case text, similar spellings, and the words of messages. Functions that cannot be inlined
-- are in PL/pgSQL, whose plans are cached per connection; SQL functions would be parsed again at each call.
create extension if not exists pg_trgm;

-- Lower case by the default collation of the database, independent of the collation of the arguments.
create function search_text(one text, two text, three text) returns text language sql immutable parallel safe
  return lower(one collate "default" || ' ' || two || ' ' || three);

-- The words of a text and, for words of 4 to 33 letters, each variant with one letter removed. Such words share a key
-- if they differ by one letter, so that similar spellings are found by equality.
create function spelling_keys(words text) returns text[] language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(array_agg(distinct key), '{}')
    from regexp_split_to_table(words collate "default", '[^[:alnum:]]+') as word,
      lateral (
        select word as key
        union all
        select overlay(word placing '' from at for 1) from generate_series(1, length(word)) as at
        where length(word) between 4 and 33) as keys
    where word <> '' and length(word) <= 100);
end $$;

-- The words of a text without case and accents, at most 64 letters of each. In scripts without spaces between words,
-- each character is a word. Each step is one expression, which PL/pgSQL evaluates without running a query, in a quarter
-- of the time.
create function folded_words(body text) returns text[] language plpgsql immutable parallel safe as $$
declare
  words text := trim(regexp_replace(
    regexp_replace(
      lower(regexp_replace(normalize(body collate "default", nfkd), '[\u0300-\u036f]', '', 'g')),
      '([\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g'),
    '[^[:alnum:]]+', ' ', 'g'));
begin
  if length(words) > 64 then words := regexp_replace(words, '([[:alnum:]]{64})[[:alnum:]]+', '\1', 'g'); end if;
  return string_to_array(words, ' ');
end $$;

-- Words prefixed with their chat, so that a search in some chats reads only the index entries of these chats.
create function words_in(chat text, words text[]) returns tsvector language plpgsql immutable parallel safe as $$
begin
  if words = '{}' then return ''; end if;
  return array_to_tsvector(string_to_array(chat || ':' || array_to_string(words, ' ' || chat || ':'), ' '));
end $$;

-- The sort key of names in an address book: without case and accents, ordered by code points.
create function name_order(name text) returns text language sql immutable parallel safe
  return regexp_replace(normalize(lower(name collate "default"), nfd), '[\u0300-\u036f]', '', 'g') collate "C";
