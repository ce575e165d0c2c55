-- owner: kernel
-- The same words as before, by functions whose plan a connection keeps. A function in SQL that cannot be written into the
-- statement around it is read anew at each insertion into its index, which costs three times as much as the words do.
create or replace function spelling_keys(words text) returns text[] language plpgsql immutable parallel safe as $$
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

create or replace function folded_words(body text) returns text[] language plpgsql immutable parallel safe as $$
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

create or replace function words_in(chat text, words text[]) returns tsvector language plpgsql immutable parallel safe as $$
begin
  return (select coalesce(array_to_tsvector(array_agg(chat || ':' || word)), '') from unnest(words) as word);
end $$;
