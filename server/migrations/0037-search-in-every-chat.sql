-- owner: chats
-- Messages of calls and widgets are searched and sent on as those of threads and groups are.
alter table call_messages add column forwarded boolean not null default false;
create index call_messages_words on call_messages using gin (words_in(call_id, folded_words(body))) with (fastupdate = off)
  where deleted_at is null;
create index chat_messages_widget_words on chat_messages using gin (words_in(widget_id, folded_words(body))) with (fastupdate = off)
  where deleted_at is null and widget_id is not null;
