-- owner: kernel
-- What searches compare by: text in lower case, near spellings, and the words of messages. Those whose queries cannot be
-- written into the statement around them are in PL/pgSQL: a connection keeps their plan, and SQL would be read anew each time.
create extension if not exists pg_trgm;

-- In lower case by the database's own rules of letters, whatever its columns compare by.
create function search_text(one text, two text, three text) returns text language sql immutable parallel safe
  return lower(one collate "default" || ' ' || two || ' ' || three);

-- The words of a text, and each word of four letters or more with each of its letters left out. Two words are one letter
-- apart only if a key of one is a key of the other, so that near spellings are found by equality.
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

-- The words of a text without case and accents. Scripts without spaces between words are taken sign by sign.
create function folded_words(body text) returns text[] language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(array_agg(distinct left(word, 64)), '{}')
    from regexp_split_to_table(
      regexp_replace(
        lower(regexp_replace(normalize(body collate "default", nfkd), '[\u0300-\u036f]', '', 'g')),
        '([\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g'),
      '[^[:alnum:]]+') as word
    where word <> '');
end $$;

-- Words with their chat in front of each: a search in some chats reads what these hold, and nothing of all others.
create function words_in(chat text, words text[]) returns tsvector language plpgsql immutable parallel safe as $$
begin
  return (select coalesce(array_to_tsvector(array_agg(chat || ':' || word)), '') from unnest(words) as word);
end $$;

-- Names in the order of an address book: without case and accents, by the code points of what is left.
create function name_order(name text) returns text language sql immutable parallel safe
  return regexp_replace(normalize(lower(name collate "default"), nfd), '[\u0300-\u036f]', '', 'g') collate "C";
