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
  -- Whether it is of all favourites of its host.
  of_grid boolean not null default false,
  -- Whether everybody in it reads the chat from its beginning, or each from when they were called or came.
  chat_history text not null default 'from_joining' check (chat_history in ('from_joining', 'all')),
  -- Opens the call to a phone that dials in; the digits are drawn for calls only while a number for it is configured.
  dial_in_pin text,
  -- Whether people without an account come by the link: not at all, when they are let in, or at once.
  guests text not null default 'off' check (guests in ('off', 'ask', 'open')),
  -- A locked call takes in nobody who was not called into it.
  locked boolean not null default false,
  started_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('hung_up', 'empty', 'host_gone')),
  -- Since when nobody has been connected or rung.
  empty_since timestamptz
);
-- An event's call has the event's code each time; of those that have ended there may be many.
create unique index calls_join_code_live on calls (join_code) where state <> 'ended';
create index calls_join_code on calls (join_code, id);
-- The calls that go on, by their host: a profile says whether its owner is live.
create index calls_going_on on calls (host_id) where state <> 'ended';
create unique index calls_dial_in_pin on calls (dial_in_pin) where state <> 'ended' and dial_in_pin is not null;

-- People without an account: of a widget for an hour, or of a call, where they wait until the host lets them in.
create table guests (
  id id primary key,
  widget_id id references widgets on delete cascade,
  call_id id references calls on delete cascade,
  name text not null,
  token_hash text not null unique,
  admission text check (admission in ('waiting', 'admitted', 'declined')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
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
  -- E.164; shown in full to whoever called it by its number or from their own contacts.
  phone text,
  phone_known_to id references users,
  leg_id id,
  state text not null check (
    state in ('ringing', 'joining', 'joined', 'left', 'declined', 'no_answer', 'busy', 'failed')),
  role text not null check (role in ('host', 'co_host', 'guest')),
  -- Called by somebody who may call them, or the one who started it; the others came by the link.
  invited boolean not null default true,
  invited_by id references users,
  -- Rung without their devices making a sound.
  silent boolean not null default false,
  -- Called without being disturbed: they are in a call, or have asked for quiet.
  quiet boolean not null default false,
  -- By which session somebody came in, how often their grants were withdrawn, and by a grant of which generation they came.
  session_id text,
  grant_generation integer not null default 0,
  admitted_generation integer,
  -- Whether their client asks them before they are recorded; those of other clients are told by the notice alone.
  asks_consent boolean not null default false,
  -- Since when a hand is raised; one from before they last left is down.
  hand_raised_at timestamptz,
  rung_at timestamptz,
  joining_at timestamptz,
  joined_at timestamptz,
  -- When they first came in: from then on they read the chat, also after they have left and come back.
  entered_at timestamptz,
  left_at timestamptz,
  -- Removed, or separated by a block: they come back only when they are called anew.
  removed_at timestamptz,
  unique (call_id, user_id)
);
create index call_participants_user on call_participants (user_id, call_id);
-- One active call an account: whoever is on the way into a call or in one holds this.
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

-- Attempts to reach a phone, one after the other for each participant.
create table call_legs (
  id id primary key,
  call_id id not null references calls,
  participant_id id not null references call_participants,
  -- Who pays; null for a phone that dialled in.
  dialled_by id references users,
  number text not null,
  country text not null,
  state text not null check (state in ('queued', 'ringing', 'answered', 'busy', 'no_answer', 'failed', 'hung_up')),
  -- What the carrier said last, in its own words: `sip:486`, `twilio:busy`.
  code text,
  carrier_id text,
  -- What a minute costs, what the longest possible length would cost and what it has cost, in millionths of a dollar.
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

-- The chat of a call. What was deleted leaves its place, without its words.
create table call_messages (
  id id primary key,
  call_id id not null references calls,
  author_id id references users,
  -- A guest of the call who wrote it. Their row goes with their token, so that the name stands here.
  guest_id id,
  guest_name text,
  kind text not null check (kind in ('text', 'media', 'system')),
  body text not null,
  file_id id references files,
  reply_to_id id,
  forwarded boolean not null default false,
  -- Whether anybody has ever reacted to it: a page of thirty asks for the reactions of those alone.
  has_reactions boolean not null default false,
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  constraint call_messages_author check (guest_id is null or (author_id is null and guest_name is not null))
);
create index call_messages_call on call_messages (call_id, id);
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
