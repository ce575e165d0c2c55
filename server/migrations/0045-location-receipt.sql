-- owner: location
-- When the service received the position: recording times are whole seconds, within which sharing may have begun anew.
alter table locations add column received_at timestamptz not null default '-infinity';
alter table locations alter column received_at drop default;
