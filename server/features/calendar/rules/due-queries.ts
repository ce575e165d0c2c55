import { eventColumns, type EventRow } from '../../../domain/calendar/events.ts';
import { isActive, maySeeUser } from '../../../domain/visibility/people.ts';
import { type Queryable, sql } from '../../../kernel/database/database.ts';

/** The statements by which what is due in calendars is found and recorded. */

/** When an event takes place next, and when its next reminder or start is due. */
export type NextTimes = { next_starts_at: Date | null; next_check_at: Date | null };

/** Locks an event until the end of the transaction; undefined when it or its owner's account was deleted. */
export function lockForCheck(db: Queryable, event_id: string): Promise<EventRow | undefined> {
  return db.maybe<EventRow>(sql`
    select ${eventColumns('')} from calendar_events e join users u on u.id = e.owner_id
    where e.id = ${event_id} and u.deleted_at is null for update of e`);
}

/** Records that everything until now was notified of. */
export async function recordNotified(
  db: Queryable,
  event_id: string,
  { next_starts_at, next_check_at }: NextTimes,
  now: Date,
): Promise<void> {
  await db.run(sql`
    update calendar_events set notified_until = greatest(notified_until, ${now}), next_starts_at = ${next_starts_at},
      next_check_at = ${next_check_at}
    where id = ${event_id}`);
}

/** Stores when an event is next due; null when nothing is left to do. */
export async function setNextCheck(db: Queryable, event_id: string, next_check_at: Date | null): Promise<void> {
  await db.run(sql`update calendar_events set next_check_at = ${next_check_at}::timestamptz where id = ${event_id}`);
}

/** The events whose check is overdue, longest first. */
export async function selectOverdue(db: Queryable, now: Date, max_count: number): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select id from calendar_events where next_check_at <= ${now} order by next_check_at limit ${max_count}::int`);
  return rows.map(({ id }) => id);
}

/** The guests of an event who may see its owner; none while the owner is suspended. */
export async function selectVisibleGuests(
  db: Queryable,
  { id, owner_id }: Pick<EventRow, 'id' | 'owner_id'>,
): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select u.id from calendar_guests c join users u on u.id = c.user_id
      join users o on o.id = ${owner_id} and ${isActive('o')}
    where c.event_id = ${id} and ${maySeeUser(owner_id)} order by u.id`);
  return rows.map((guest) => guest.id);
}
