import { eventColumns, type EventRow } from '../../../domain/calendar/events.ts';
import { maySeeEvent } from '../../../domain/visibility/calendar.ts';
import { type Queryable, sql } from '../../../kernel/database/database.ts';

/** The statements by which devices sync a calendar. */

/** How far the changes of a calendar go, and up to which one deletions are forgotten. */
export type CalendarState = { seq: number; forgotten_seq: number };

/** The state of a calendar; zeros for one that never changed. */
export async function selectCalendarState(db: Queryable, user_id: string): Promise<CalendarState> {
  const row = await db.maybe<CalendarState>(sql`
    select seq::float8 as seq, forgotten_seq::float8 as forgotten_seq from calendar_users where user_id = ${user_id}`);
  return row ?? { seq: 0, forgotten_seq: 0 };
}

/** Records what a session has stored. An acknowledgement that arrives after a later one has no effect. */
export async function recordAck(
  db: Queryable,
  { user_id, session_id }: { user_id: string; session_id: string },
  cursor: { seq: number; at: Date },
): Promise<void> {
  await db.run(sql`
    insert into calendar_acks (session_id, user_id, seq, acknowledged_at)
    values (${session_id}, ${user_id}, ${cursor.seq}, ${cursor.at})
    on conflict (session_id) do update set seq = greatest(calendar_acks.seq, excluded.seq),
      acknowledged_at = greatest(calendar_acks.acknowledged_at, excluded.acknowledged_at)`);
}

/** The state of a calendar, and what a session has acknowledged of it. */
export type SyncState = CalendarState & { acked_seq: number | null; acknowledged_at: Date | null };

/** The state of a calendar, and how far a session has acknowledged it. */
export function selectSyncState(db: Queryable, user_id: string, session_id: string): Promise<SyncState> {
  return db.one<SyncState>(sql`
    select coalesce(c.seq, 0)::float8 as seq, coalesce(c.forgotten_seq, 0)::float8 as forgotten_seq,
      a.seq::float8 as acked_seq, a.acknowledged_at
    from (select 1) as one left join calendar_users c on c.user_id = ${user_id}
    left join calendar_acks a on a.session_id = ${session_id}`);
}

/** A change of a calendar, and the event as it is now, if it is still there. */
export type ChangeRow = EventRow & { seq: number; event_id: string; is_there: boolean };

/**
 * The changes of a calendar after a number, and one more than the limit. Only a device without any data skips deletions:
 * an acknowledgement may have been lost.
 */
export function selectChanges(
  db: Queryable,
  viewer_id: string,
  { since, limit, is_first }: { since: number; limit: number; is_first: boolean },
): Promise<ChangeRow[]> {
  return db.many<ChangeRow>(sql`
    select h.seq::float8 as seq, h.event_id, ${eventColumns(viewer_id)},
      (h.deleted_at is null and e.id is not null and ${maySeeEvent(viewer_id)}) as is_there
    from calendar_changes h left join calendar_events e on e.id = h.event_id left join users u on u.id = e.owner_id
    where h.user_id = ${viewer_id} and h.seq > ${since} and (${!is_first}::boolean or h.deleted_at is null)
    order by h.seq limit ${limit + 1}`);
}
