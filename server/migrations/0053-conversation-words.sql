-- owner: kernel
-- The conversation of a widget in which a message is (`^gst_…`, or `^` where it is in all of them), in the index of words: a search in
-- one conversation reads none of the matches in the others (docs/decisions/0032-search-in-portions.md). No word of a text contains the
-- sign.
create function conversation_in(guest text) returns text language plpgsql immutable parallel safe as $$
begin
  return '^' || coalesce(guest, '');
end $$;

drop index chat_messages_widget_words;
create index chat_messages_widget_words on chat_messages
  using gin (words_in(widget_id || '/' || (place / 2048)::text,
    folded_words(body) || writer_in(author_id, hidden_from) || conversation_in(guest_id)))
  with (fastupdate = off) where deleted_at is null and widget_id is not null;
