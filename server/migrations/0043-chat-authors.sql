-- owner: chats
-- The messages of each author in a chat: a page that would consist of hidden ones is read from those of the other authors.
create index chat_messages_group_author on chat_messages (group_id, author_id, id) where group_id is not null;
create index chat_messages_widget_author on chat_messages (widget_id, author_id, id) where widget_id is not null;
create index call_messages_author on call_messages (call_id, author_id, id);
