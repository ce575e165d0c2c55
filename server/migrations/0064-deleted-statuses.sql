-- owner: statuses
-- A deleted status with more replies or likes than one transaction deletes: its author no longer sees it, and as with
-- one that is hidden nobody else does.
alter table statuses add column deleted_at timestamptz check (deleted_at is null or hidden_at is not null);
