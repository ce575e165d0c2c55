-- owner: kernel
-- Where a message is among those of its chat, for the index of words: it contains each word of a chat in portions of 2,048
-- messages, so that a search reads the newest portions first and ends as soon as a page is full (docs/decisions/0032-search-in-portions.md).
-- Neighbours may have the same place, and places may be missing; none is smaller than that of an older message.
-- That of a direct message is given by its statement where it is the newest of its thread, since both sides are updated with it.
alter table dm_messages add place int;
alter table dm_members add message_count int not null default 0 check (message_count >= 0);
alter table chat_messages add place int not null default 0;
alter table call_messages add place int not null default 0;

-- What was written before.
update dm_messages m set place = n.place from (
  select id, row_number() over (partition by thread_id order by id) as place from dm_messages) n
where n.id = m.id;
alter table dm_messages alter place set not null;
update dm_members d set message_count = n.count from (
  select thread_id, count(*) as count from dm_messages group by thread_id) n
where n.thread_id = d.thread_id;
update chat_messages m set place = n.place from (
  select id, row_number() over (partition by group_id, widget_id order by id) as place from chat_messages) n
where n.id = m.id and n.place >= 2048;
update call_messages m set place = n.place from (
  select id, row_number() over (partition by call_id order by id) as place from call_messages) n
where n.id = m.id and n.place >= 2048;

-- The message before is read from the index of chats, also by a plan that was made while the table was empty. One that is
-- inserted after a newer one begins no portion that the newer one is not in.
create function place_dm_message() returns trigger language plpgsql set enable_sort = off as $$
declare
  older record;
  newer record;
begin
  select thread_id as chat, place into older from dm_messages
  where (thread_id, id) < (new.thread_id, new.id) order by thread_id desc, id desc limit 1;
  new.place := case when older.chat = new.thread_id then older.place + 1 else 0 end;
  if new.place % 2048 = 0 and new.place > 0 then
    select thread_id as chat, place into newer from dm_messages
    where (thread_id, id) > (new.thread_id, new.id) order by thread_id, id limit 1;
    if newer.chat = new.thread_id then new.place := least(new.place, newer.place); end if;
  end if;
  return new;
end $$;
create trigger dm_message_placed before insert on dm_messages for each row when (new.place is null) execute function place_dm_message();

create function place_group_message() returns trigger language plpgsql set enable_sort = off as $$
declare
  older record;
  newer record;
begin
  select group_id as chat, place into older from chat_messages
  where (group_id, id) < (new.group_id, new.id) and group_id is not null order by group_id desc, id desc limit 1;
  new.place := case when older.chat = new.group_id then older.place + 1 else 0 end;
  if new.place % 2048 = 0 and new.place > 0 then
    select group_id as chat, place into newer from chat_messages
    where (group_id, id) > (new.group_id, new.id) and group_id is not null order by group_id, id limit 1;
    if newer.chat = new.group_id then new.place := least(new.place, newer.place); end if;
  end if;
  return new;
end $$;
create trigger group_message_placed before insert on chat_messages for each row when (new.group_id is not null) execute function place_group_message();

create function place_widget_message() returns trigger language plpgsql set enable_sort = off as $$
declare
  older record;
  newer record;
begin
  select widget_id as chat, place into older from chat_messages
  where (widget_id, id) < (new.widget_id, new.id) and widget_id is not null order by widget_id desc, id desc limit 1;
  new.place := case when older.chat = new.widget_id then older.place + 1 else 0 end;
  if new.place % 2048 = 0 and new.place > 0 then
    select widget_id as chat, place into newer from chat_messages
    where (widget_id, id) > (new.widget_id, new.id) and widget_id is not null order by widget_id, id limit 1;
    if newer.chat = new.widget_id then new.place := least(new.place, newer.place); end if;
  end if;
  return new;
end $$;
create trigger widget_message_placed before insert on chat_messages for each row when (new.widget_id is not null) execute function place_widget_message();

create function place_call_message() returns trigger language plpgsql set enable_sort = off as $$
declare
  older record;
  newer record;
begin
  select call_id as chat, place into older from call_messages
  where (call_id, id) < (new.call_id, new.id) order by call_id desc, id desc limit 1;
  new.place := case when older.chat = new.call_id then older.place + 1 else 0 end;
  if new.place % 2048 = 0 and new.place > 0 then
    select call_id as chat, place into newer from call_messages
    where (call_id, id) > (new.call_id, new.id) order by call_id, id limit 1;
    if newer.chat = new.call_id then new.place := least(new.place, newer.place); end if;
  end if;
  return new;
end $$;
create trigger call_message_placed before insert on call_messages for each row execute function place_call_message();

-- Who wrote a message, together with those from whom a block hides it (`@usr_…`, `@usr_…/…`): a search selects those whose
-- messages it may show in the index of words. No word of a text contains these signs. A function of an index may call none
-- of this schema: `analyze` would not find it.
create function writer_in(author text, hidden_from text[]) returns text language plpgsql immutable parallel safe as $$
begin
  if hidden_from = '{}' then return '@' || coalesce(author, ''); end if;
  return '@' || coalesce(author, '') || '/' || hash_array_extended(hidden_from, 0)::text;
end $$;

-- What reads words without the index takes some microseconds a message.
alter function folded_words(text) cost 10000;

drop index dm_messages_words;
create index dm_messages_words on dm_messages
  using gin (words_in(thread_id || '/' || (place / 2048)::text, folded_words(body))) with (fastupdate = off)
  where deleted_at is null;
drop index chat_messages_words;
create index chat_messages_words on chat_messages
  using gin (words_in(group_id || '/' || (place / 2048)::text, folded_words(body) || writer_in(author_id, hidden_from)))
  with (fastupdate = off) where deleted_at is null and group_id is not null;
drop index chat_messages_widget_words;
create index chat_messages_widget_words on chat_messages
  using gin (words_in(widget_id || '/' || (place / 2048)::text, folded_words(body) || writer_in(author_id, hidden_from)))
  with (fastupdate = off) where deleted_at is null and widget_id is not null;
drop index call_messages_words;
create index call_messages_words on call_messages
  using gin (words_in(call_id || '/' || (place / 2048)::text, folded_words(body) || writer_in(author_id, '{}'))) with (fastupdate = off)
  where deleted_at is null;

-- The first identifier that can have been made at a time, as `firstIdAt` in server/kernel/id.ts.
create function first_id_at(prefix text, at timestamptz) returns text language plpgsql immutable strict parallel safe as $$
declare
  ms bigint := floor(extract(epoch from at) * 1000);
  digits text := '';
begin
  for digit in 1..10 loop
    digits := substr('0123456789abcdefghjkmnpqrstvwxyz', (ms & 31)::int + 1, 1) || digits;
    ms := ms >> 5;
  end loop;
  return prefix || '_' || digits || repeat('0', 16);
end $$;
