-- owner: chats
-- Whether anybody has ever reacted to a message: a page of thirty asks for the reactions of those alone.
alter table dm_messages add column has_reactions boolean not null default false;
alter table chat_messages add column has_reactions boolean not null default false;
update dm_messages set has_reactions = true where id in (select message_id from dm_reactions);
update chat_messages set has_reactions = true where id in (select message_id from chat_reactions);

create function mark_dm_reactions() returns trigger language plpgsql as $$
begin
  update dm_messages set has_reactions = true where id = new.message_id and not has_reactions;
  return null;
end $$;
create trigger dm_reactions_added after insert on dm_reactions for each row execute function mark_dm_reactions();

create function mark_chat_reactions() returns trigger language plpgsql as $$
begin
  update chat_messages set has_reactions = true where id = new.message_id and not has_reactions;
  return null;
end $$;
create trigger chat_reactions_added after insert on chat_reactions for each row execute function mark_chat_reactions();
