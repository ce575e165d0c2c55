-- owner: inbox
-- How many of somebody's messages wait unread at another: a stranger may leave one.
create index inbox_messages_sender on inbox_messages (user_id, from_user_id, kind) where read_at is null;
