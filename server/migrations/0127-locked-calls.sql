-- owner: calls
-- A locked call takes in nobody who was not called into it.
alter table calls add column locked boolean not null default false;
