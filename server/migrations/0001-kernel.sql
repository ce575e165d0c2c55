-- owner: kernel
-- Texts that are compared by bytes: identifiers and keys sort the same whatever the server's locale.
create domain id as text collate "C";

-- One row: what the service remembers of itself.
create table service (
  only boolean primary key default true check (only),
  -- Changes when the database is restored, so that places in an older outbox are recognised as strange.
  epoch text not null default substr(md5(random()::text || clock_timestamp()::text), 1, 6),
  forgotten_xid xid8 not null default '0',
  forgotten_position bigint not null default 0
);
insert into service default values;

create table events (
  position bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  topic id not null,
  type text not null,
  data jsonb not null,
  at timestamptz not null
);
create index events_order on events (xid, position);
create index events_topic on events (topic, xid, position);
create index events_age on events (at);

create table idempotency (
  owner id not null,
  operation text not null,
  key_hash id not null,
  body_hash id not null,
  status int not null,
  reply text not null,
  created_at timestamptz not null,
  primary key (owner, operation, key_hash)
);
create index idempotency_age on idempotency (created_at);
