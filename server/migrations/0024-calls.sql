-- owner: calls
create table calls (
  id id primary key,
  join_code id not null,
  host_id id not null references users,
  started_by id not null references users,
  state text not null check (state in ('ringing', 'live', 'ended')),
  privacy text not null check (privacy in ('private', 'followers', 'public')),
  media text not null check (media in ('audio', 'video')),
  group_id id,
  event_id id,
  -- Whether it was started as a call to all favourites of its host.
  of_grid boolean not null default false,
  -- Whether participants can read the whole chat, or only from when they were called or joined.
  chat_history text not null default 'from_joining' check (chat_history in ('from_joining', 'all')),
  -- The digits that a phone types to dial in; generated only while a dial-in number is configured.
  dial_in_pin text,
  -- Whether people without an account can join by the link: never, after the host admits them, or at once.
  guests text not null default 'off' check (guests in ('off', 'ask', 'open')),
  -- Only people who were called can join a locked call.
  locked boolean not null default false,
  started_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('hung_up', 'empty', 'host_gone')),
  -- Since when no participant has been connected or ringing.
  empty_since timestamptz
);
-- Every call of a calendar event has the join code of the event, so that many ended calls may share it.
create unique index calls_join_code_live on calls (join_code) where state <> 'ended';
create index calls_join_code on calls (join_code, id);
-- Active calls by host: a profile shows whether its owner is live.
create index calls_going_on on calls (host_id) where state <> 'ended';
create unique index calls_dial_in_pin on calls (dial_in_pin) where state <> 'ended' and dial_in_pin is not null;

-- People without an account: in a widget for one hour, or in a call, where they wait until the host admits them.
create table guests (
  id id primary key,
  widget_id id references widgets on delete cascade,
  call_id id references calls on delete cascade,
  name text not null,
  token_hash text not null unique,
  admission text check (admission in ('waiting', 'admitted', 'declined')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Whether the name is an English default of the service, because nobody chose one: clients translate it.
  name_is_default boolean not null default false,
  -- Since when a waiting guest has had no connection; null for one who has never had any.
  away_since timestamptz,
  constraint guests_place check (num_nonnulls(widget_id, call_id) = 1),
  constraint guests_admission check ((call_id is null) = (admission is null))
);
create index guests_widget on guests (widget_id, id);
create index guests_call on guests (call_id, id) where call_id is not null;
create index guests_expiry on guests (expires_at);

create table call_participants (
  id id primary key,
  call_id id not null references calls,
  -- An account, a guest, or neither: a phone.
  user_id id references users,
  guest_id id references guests on delete set null,
  contact_id id,
  name text not null,
  -- E.164; shown in full to the person who called it by number or from their contacts.
  phone text,
  phone_known_to id references users,
  leg_id id,
  state text not null check (
    state in ('ringing', 'joining', 'joined', 'left', 'declined', 'no_answer', 'busy', 'failed')),
  role text not null check (role in ('host', 'co_host', 'guest')),
  -- Called by somebody who may call them, or the one who started the call; the others joined by the link.
  invited boolean not null default true,
  invited_by id references users,
  -- Shown as ringing to the caller, but their devices do not ring.
  suppressed boolean not null default false,
  -- Called but not rung: they are in another call or have do-not-disturb on.
  not_alerted boolean not null default false,
  -- The session they joined with, how often their grants were revoked, and the generation of the grant they joined
  -- with.
  session_id text,
  grant_generation integer not null default 0,
  admitted_generation integer,
  -- Whether their client asks for consent to a recording; other clients only show the notice.
  asks_consent boolean not null default false,
  -- When they raised their hand; void if they have left since.
  hand_raised_at timestamptz,
  rung_at timestamptz,
  joining_at timestamptz,
  joined_at timestamptz,
  -- When they first joined: they can read the chat from then on, also after they have left and joined again.
  entered_at timestamptz,
  left_at timestamptz,
  -- Removed from the call, or separated by a block: they can join only when they are called again.
  removed_at timestamptz,
  -- Whether the name is an English default of the service.
  name_is_default boolean not null default false,
  unique (call_id, user_id)
);
create index call_participants_user on call_participants (user_id, call_id);
-- At most one active call per account, including one that it is joining.
create unique index call_participants_active on call_participants (user_id) where state in ('joining', 'joined');
create unique index call_participants_phone on call_participants (call_id, phone) where phone is not null;
create unique index call_participants_guest_active on call_participants (guest_id) where state in ('joining', 'joined');
create index call_participants_guest on call_participants (guest_id) where guest_id is not null;
create index call_participants_by_session on call_participants (session_id) where state in ('joining', 'joined', 'left');

create function note_entered() returns trigger language plpgsql as $$
begin
  new.entered_at := coalesce(new.joining_at, new.joined_at);
  return new;
end $$;
create trigger call_participants_entered before insert or update on call_participants
  for each row when (new.entered_at is null) execute function note_entered();

-- Attempts to reach a phone: one at a time for each participant.
create table call_legs (
  id id primary key,
  call_id id not null references calls,
  participant_id id not null references call_participants,
  -- Who pays for it; null for a phone that dialled in.
  dialled_by id references users,
  number text not null,
  country text not null,
  state text not null check (state in ('queued', 'ringing', 'answered', 'busy', 'no_answer', 'failed', 'hung_up')),
  -- The last status code of the carrier: `sip:486`, `twilio:busy`.
  code text,
  carrier_id text,
  -- The price per minute, the price of the maximum duration and the final price, in millionths of a dollar.
  rate_micros bigint not null default 0,
  reserved_micros bigint not null default 0,
  cost_micros bigint,
  max_duration_s int not null,
  created_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz
);
create index call_legs_participant on call_legs (participant_id, id);
create index call_legs_payer on call_legs (dialled_by, created_at);
create index call_legs_call on call_legs (call_id);
create index call_legs_carrier on call_legs (carrier_id) where carrier_id is not null;

-- The chat of a call. A deleted message keeps its row, without its text.
create table call_messages (
  id id primary key,
  call_id id not null references calls,
  author_id id references users,
  -- The guest who wrote it. The row of a guest is deleted with its token, so the name is stored here.
  guest_id id,
  guest_name text,
  kind text not null check (kind in ('text', 'media', 'system')),
  body text not null,
  file_id id references files,
  reply_to_id id,
  forwarded boolean not null default false,
  -- Whether it has ever had a reaction: a page of messages loads reactions only for those that have.
  has_reactions boolean not null default false,
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  constraint call_messages_author check (guest_id is null or (author_id is null and guest_name is not null))
);
create index call_messages_call on call_messages (call_id, id);
create index call_messages_file on call_messages (file_id) where file_id is not null;
create index call_messages_words on call_messages using gin (words_in(call_id, folded_words(body))) with (fastupdate = off)
  where deleted_at is null;

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
  -- A guest, whose row is deleted with their token.
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
