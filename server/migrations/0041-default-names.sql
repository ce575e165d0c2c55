-- owner: calls
-- Whether a name was given by the service, in English, since nobody chose one: clients say it in their reader's language.
alter table guests add column name_is_default boolean not null default false;
alter table call_participants add column name_is_default boolean not null default false;
