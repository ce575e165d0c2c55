-- owner: calls
-- Whether the name is an English default of the service, because nobody chose one: clients translate it.
alter table guests add column name_is_default boolean not null default false;
alter table call_participants add column name_is_default boolean not null default false;
