/**
 * The change log of calendars, by which devices sync: for each person who sees an event, the number of its last change.
 */
import { sql, type Queryable } from '../../kernel/database/database.ts';

/** A change of an event in the calendar of one person. */
export type Touch = { user_id: string; event_id: string; is_deleted: boolean };

/**
 * Numbers changes in people's calendars. It locks their counters until the end of the transaction, so that no number is
 * visible before all smaller ones are committed.
 */
export async function recordChanges(db: Queryable, touches: Touch[], now: Date): Promise<void> {
  if (touches.length === 0) return;
  await db.run(sql`
    with given as (
      select user_id, event_id, is_deleted, row_number() over (partition by user_id order by event_id) as place,
        count(*) over (partition by user_id) as total
      from unnest(${touches.map((one) => one.user_id)}::text[], ${touches.map((one) => one.event_id)}::text[],
        ${touches.map((one) => one.is_deleted)}::boolean[]) as t (user_id, event_id, is_deleted)),
    counted as (
      insert into calendar_users (user_id, seq) select user_id, max(total) from given group by user_id order by user_id
      on conflict (user_id) do update set seq = calendar_users.seq + excluded.seq returning user_id, seq)
    insert into calendar_changes (user_id, event_id, seq, deleted_at)
    select g.user_id, g.event_id, c.seq - g.total + g.place, case when g.is_deleted then ${now}::timestamptz end
    from given g join counted c on c.user_id = g.user_id
    on conflict (user_id, event_id) do update set seq = excluded.seq, deleted_at = excluded.deleted_at`);
}
