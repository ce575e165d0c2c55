-- owner: chats
-- Members whom a message of a group mentions by their username, as its readers see it: [{text, type, id}].
alter table chat_messages add column mentions jsonb not null default '[]';
-- Those of them who had not muted the author when they were mentioned: the message counts in their unread mentions.
alter table chat_messages add column mentioned text[] not null default '{}';
alter table group_chat_reads add column unread_mentions int not null default 0 check (unread_mentions >= 0);
-- Notifications of mentions in a group are deleted when a member leaves it, or with the group.
create index notifications_group on notifications (subject_id, user_id) where subject_type = 'group';
