-- owner: calls
alter table calls
  add column started_by id references users,
  -- Whether everybody in it reads the chat from its beginning, or each from when they were called or came.
  add column chat_history text not null default 'from_joining',
  -- Opens the call to a phone that dials in; the digits are drawn for calls only while a number for it is configured.
  add column dial_in_pin text;
update calls set started_by = host_id;
alter table calls alter column started_by set not null;
create unique index calls_dial_in_pin on calls (dial_in_pin) where state <> 'ended' and dial_in_pin is not null;

alter table call_participants
  -- Called by somebody who may call them, or the one who started it; the others came by the link.
  add column invited boolean not null default true,
  -- Called without being disturbed: they are in a call, or have asked for quiet.
  add column quiet boolean not null default false,
  -- Sent away, or parted by a block: they come back only when they are called anew.
  add column removed_at timestamptz,
  add column invited_by id references users,
  add column contact_id id,
  -- E.164; shown in full to whoever called it by its number or from their own contacts.
  add column phone text,
  add column phone_known_to id references users,
  add column leg_id id;
update call_participants set invited = role = 'host' or rung_at is not null;
create unique index call_participants_phone on call_participants (call_id, phone) where phone is not null;

-- Attempts to reach a phone, one after the other for each participant.
create table call_legs (
  id id primary key,
  call_id id not null references calls,
  participant_id id not null references call_participants,
  -- Who pays; null for a phone that dialled in.
  dialled_by id references users,
  number text not null,
  country text not null,
  state text not null,
  -- What the carrier said last, in its own words: `sip:486`, `twilio:busy`.
  code text,
  carrier_id text,
  -- What a minute costs, what the longest possible length would cost and what it has cost, in millionths of a dollar.
  rate_micros bigint not null default 0,
  reserved_micros bigint not null default 0,
  cost_micros bigint,
  longest_s int not null,
  created_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz
);
create index call_legs_participant on call_legs (participant_id, id);
create index call_legs_payer on call_legs (dialled_by, created_at);
create index call_legs_call on call_legs (call_id);
create index call_legs_carrier on call_legs (carrier_id) where carrier_id is not null;

alter table call_messages
  add column file_id id references files;
