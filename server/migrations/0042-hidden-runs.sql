-- owner: chats
-- Messages in a row of a group's chat that a block hides from a member, as their first and last: reading skips them at once.
create table chat_hidden_runs (
  group_id id not null references groups on delete cascade,
  user_id id not null references users,
  first_id id not null,
  last_id id not null,
  primary key (group_id, user_id, first_id)
);
create index chat_hidden_runs_user on chat_hidden_runs (user_id);
-- Those of messages that were written before.
insert into chat_hidden_runs (group_id, user_id, first_id, last_id)
select group_id, user_id, min(id), max(id) from (
  select m.group_id, h.user_id, m.id,
    m.place - row_number() over (partition by m.group_id, h.user_id order by m.id) as run
  from (
    select id, group_id, hidden_from, row_number() over (partition by group_id order by id) as place
    from chat_messages where group_id in (select o.group_id from chat_messages o where o.hidden_from <> '{}')) m
  cross join unnest(m.hidden_from) as h (user_id) join users u on u.id = h.user_id) hidden
group by group_id, user_id, run;
