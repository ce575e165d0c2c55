-- owner: statuses
-- Which accounts and tags have changed in what every reader of a list sees of them: names, avatar, and whether they are
-- shown at all. A node that caches texts with labels reads here, in the statement that uses them, whether they are
-- current (docs/decisions/0030-row-cache.md). Rows are deleted after a day.
create table label_changes (
  position bigint primary key generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  -- An account or a tag, or `*`: the row of the last deletion of old rows.
  subject_id id not null,
  at timestamptz not null default clock_timestamp()
);
create index label_changes_xid on label_changes (xid);
insert into label_changes (subject_id) values ('*');

create function note_label_change() returns trigger language plpgsql as $$
begin
  insert into label_changes (subject_id) values (new.id);
  return null;
end $$;
create trigger user_labels_changed after update on users for each row
  when ((old.username, old.display_name, old.avatar_key, old.suspended_at, old.deleted_at)
    is distinct from (new.username, new.display_name, new.avatar_key, new.suspended_at, new.deleted_at))
  execute function note_label_change();
create trigger tag_labels_changed after update on tags for each row
  when ((old.name, old.title, old.hidden_at, old.deleted_at)
    is distinct from (new.name, new.title, new.hidden_at, new.deleted_at))
  execute function note_label_change();
