-- owner: chats
-- The words and files of another message, sent on by somebody who could read it. Whose they were is not told.
alter table dm_messages add column forwarded boolean not null default false;
alter table chat_messages add column forwarded boolean not null default false;
