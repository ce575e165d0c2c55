-- owner: chats
-- The messages of each author in a chat by those from whom they are hidden: a page that would consist of hidden ones is read
-- from those of the other authors, and from what the same authors wrote before or after a block.
drop index chat_messages_group_author;
create index chat_messages_group_author on chat_messages (group_id, author_id, hash_array_extended(hidden_from, 0), id)
  where group_id is not null;
drop index chat_messages_widget_author;
create index chat_messages_widget_author on chat_messages (widget_id, author_id, hash_array_extended(hidden_from, 0), id)
  where widget_id is not null;
create index chat_messages_guest_author on chat_messages (widget_id, guest_id, author_id, hash_array_extended(hidden_from, 0), id)
  where widget_id is not null;
