-- owner: statuses
-- One row for each account and tag, with its last change: whoever renames themselves again and again adds no rows. The
-- changes of one follow each other, since each locks its row: what was read before the last one is older than its transaction.
delete from label_changes old using label_changes newer
where newer.subject_id = old.subject_id and newer.position > old.position;
alter table label_changes drop constraint label_changes_pkey, drop column position, add primary key (subject_id);
create index label_changes_at on label_changes (at);

create or replace function note_label_change() returns trigger language plpgsql as $$
begin
  insert into label_changes (subject_id) values (new.id)
  on conflict (subject_id) do update set xid = pg_current_xact_id(), at = clock_timestamp();
  return null;
end $$;
