-- owner: kernel
-- References to rows that are deleted: without an index, each deletion reads the whole table. A hundred files took 5 s
-- with 200,000 messages in inboxes, and were never deleted with three times as many.
create index call_messages_file on call_messages (file_id) where file_id is not null;
create index inbox_messages_file on inbox_messages (file_id) where file_id is not null;
create index groups_avatar on groups (avatar_file_id) where avatar_file_id is not null;
-- Before, it left out deleted widgets, to which the deletion of a group applies as well.
drop index widgets_group;
create index widgets_group on widgets (group_id, id) where group_id is not null;
