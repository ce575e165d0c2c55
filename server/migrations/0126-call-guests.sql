-- owner: calls
-- Guests of calls come by the link: they stand beside those of widgets, and wait until the host lets them in.
alter table widget_guests rename to guests;
alter table guests
  alter column widget_id drop not null,
  add column call_id id references calls on delete cascade,
  add column admission text check (admission in ('waiting', 'admitted', 'declined')),
  add constraint guests_place check (num_nonnulls(widget_id, call_id) = 1),
  add constraint guests_admission check ((call_id is null) = (admission is null));
create index guests_call on guests (call_id, id) where call_id is not null;
alter table calls add column guests text not null default 'off' check (guests in ('off', 'ask', 'open'));
