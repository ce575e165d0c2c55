-- owner: chats
-- The words of a text without case and accents. Scripts without spaces between words are taken sign by sign.
create function folded_words(body text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct left(word, 64)), '{}')
  from regexp_split_to_table(
    regexp_replace(
      lower(regexp_replace(normalize(body collate "default", nfkd), '[\u0300-\u036f]', '', 'g')),
      '([\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g'),
    '[^[:alnum:]]+') as word
  where word <> ''
$$;

-- Words with their chat in front of each: a search in some chats reads what these hold, and nothing of all others.
create function words_in(chat text, words text[]) returns tsvector language sql immutable parallel safe as $$
  select coalesce(array_to_tsvector(array_agg(chat || ':' || word)), '') from unnest(words) as word
$$;

-- Without a list of what is pending: each search looks into the index once a chat, and would read all of that list each time.
create index dm_messages_words on dm_messages using gin (words_in(thread_id, folded_words(body))) with (fastupdate = off)
  where deleted_at is null;
create index chat_messages_words on chat_messages using gin (words_in(group_id, folded_words(body))) with (fastupdate = off)
  where deleted_at is null and group_id is not null;
