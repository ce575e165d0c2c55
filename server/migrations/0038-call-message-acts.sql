-- owner: calls
-- What is done to messages of calls once they are written, as to those of groups: answers, edits, reactions, deletion.
alter table call_messages add column reply_to_id id;
alter table call_messages add column has_reactions boolean not null default false;
alter table call_messages add column edited_at timestamptz;
alter table call_messages add column deleted_at timestamptz;

create table call_edits (
  message_id id not null references call_messages on delete cascade,
  number int not null,
  body text not null,
  replaced_at timestamptz not null,
  primary key (message_id, number)
);

create table call_reactions (
  message_id id not null references call_messages on delete cascade,
  user_id id references users,
  -- Somebody without an account, whose row goes with their token.
  guest_id id,
  emoji text not null,
  created_at timestamptz not null,
  reactor_id id generated always as (coalesce(user_id, guest_id)) stored,
  primary key (message_id, reactor_id),
  constraint call_reactions_reactor check (num_nonnulls(user_id, guest_id) = 1)
);
create index call_reactions_user on call_reactions (user_id, message_id) where user_id is not null;

create function mark_call_reactions() returns trigger language plpgsql as $$
begin
  update call_messages set has_reactions = true where id = new.message_id and not has_reactions;
  return null;
end $$;
create trigger call_reactions_added after insert on call_reactions for each row execute function mark_call_reactions();

-- Guests of widgets react as well.
alter table chat_reactions drop constraint chat_reactions_pkey;
alter table chat_reactions alter column user_id drop not null;
alter table chat_reactions add column guest_id id references guests on delete cascade;
alter table chat_reactions add column reactor_id id generated always as (coalesce(user_id, guest_id)) stored;
alter table chat_reactions add primary key (message_id, reactor_id);
alter table chat_reactions add constraint chat_reactions_reactor check (num_nonnulls(user_id, guest_id) = 1);
create index chat_reactions_guest on chat_reactions (guest_id) where guest_id is not null;
