-- owner: cleared-chats
-- The newest message of a chat when its reader cleared it for themselves: they read what was written later.
alter table dm_members add column cleared_up_to id;
alter table group_chat_reads add column cleared_up_to id;
