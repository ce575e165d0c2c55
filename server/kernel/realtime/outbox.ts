/**
 * The outbox: events stored with the change that caused them, read by every node in commit order.
 *
 * A sequence number alone cannot determine what a reader has missed, since a transaction with an earlier number may
 * commit later. So the order is (transaction id, position), and a reader stops before the oldest transaction that is
 * still running: everything before its place is complete.
 */
import { join, sql, type Queryable, type Sql } from '../database/database.ts';
import type { Emission, Late } from '../event.ts';

/** A place in the outbox. `xid` and `position` are 64-bit numbers as text. */
export type Place = { xid: string; position: string };

export type StoredEvent = Place & { topic: string; type: string; at: Date; data: string };

/** How long events are kept for catching up, in seconds. */
export const retention_s = 24 * 60 * 60;

/**
 * Inserts events in the caller's transaction, in one statement.
 * @param steps common table expressions that the statement runs as well
 */
export async function insertEvents(db: Queryable, emissions: Emission[], now: Date, steps?: Sql): Promise<void> {
  const before = steps ? sql`with ${steps} ` : sql``;
  if (emissions.length === 0) {
    if (steps) await db.run(sql`${before}select`);
    return;
  }
  const rows = emissions.map(({ topic, type, data, late }) => {
    const json = late ? jsonWith(data, late) : sql`${JSON.stringify(data)}`;
    return sql`(${topic}::text, ${type}::text, ${json}::json, ${now}::timestamptz)`;
  });
  await db.run(sql`${before}insert into events (topic, type, data, at) values ${join(rows)}`);
}

/** The JSON text of an object with members that the database computes. */
function jsonWith(data: object, late: Late): Sql {
  const known = JSON.stringify({ ...data, ...Object.fromEntries(Object.keys(late).map((name) => [name, undefined])) });
  const members = Object.entries(late).map(
    ([name, value]) => sql`${`${JSON.stringify(name)}:`}::text || coalesce(to_json(${value})::text, 'null')`,
  );
  const separator = known === '{}' ? '' : ',';
  return sql`(${known.slice(0, -1) + separator}::text || ${join(members, " || ',' || ")} || '}')`;
}

/**
 * The next events of all topics after a place, oldest first. `unsettled` ones are committed, but an older transaction
 * may still insert something before them. `more` is set when reading again soon is worthwhile. The order names its
 * table, because a bare name would mean the output column, which is text and sorts by its digits.
 */
export async function selectEventsAfter(
  db: Queryable,
  place: Place,
  limit: number,
): Promise<{ events: StoredEvent[]; unsettled: StoredEvent[]; more: boolean }> {
  const rows = await db.many<StoredEvent & { settled: boolean }>(sql`
    select xid::text, position::text, topic, type, at, data::text as data,
           xid < pg_snapshot_xmin(pg_current_snapshot()) as settled
    from events where (xid, position) > (${place.xid}::xid8, ${place.position}::bigint)
    order by events.xid, events.position limit ${limit}`);
  const first = rows.findIndex((row) => !row.settled);
  const end = first < 0 ? rows.length : first;
  return { events: rows.slice(0, end), unsettled: rows.slice(end), more: end < rows.length || rows.length === limit };
}

/** What one receiver missed between two places, oldest first; `to` is included. */
export async function selectMissed(
  db: Queryable,
  topics: string[],
  from: Place,
  to: Place,
  limit: number,
): Promise<StoredEvent[]> {
  return db.many<StoredEvent>(sql`
    select xid::text, position::text, topic, type, at, data::text as data
    from events
    where topic = any(${topics}) and (xid, position) > (${from.xid}::xid8, ${from.position}::bigint)
      and (xid, position) <= (${to.xid}::xid8, ${to.position}::bigint)
    order by events.xid, events.position limit ${limit}`);
}

/** The epoch of the outbox, and the place of the newest event before which nothing can be inserted any more. */
export async function selectHead(db: Queryable): Promise<Place & { epoch: string; oldest_at: Date | null }> {
  return db.one(sql`
    with newest as (
      select xid, position from events where xid < pg_snapshot_xmin(pg_current_snapshot())
      order by xid desc, position desc limit 1)
    select epoch, coalesce((select xid::text from newest), '0') as xid,
           coalesce((select position::text from newest), '0') as position,
           (select at from events order by xid, position limit 1) as oldest_at
    from service`);
}

/**
 * Deletes events too old to catch up with: all before the first that is recent enough. Keeps the place of the last
 * deleted one, to decide when `reset` is due.
 */
export async function deleteOldEvents(db: Queryable, before: Date): Promise<number> {
  return db.run(sql`
    with kept as (
      (select xid, position from events where at >= ${before} order by xid, position limit 1)
      union all select '18446744073709551615', 9223372036854775807 limit 1),
    gone as (delete from events where (xid, position) < (select xid, position from kept) returning xid, position),
    last as (select xid, position from gone order by xid desc, position desc limit 1)
    update service set forgotten_xid = last.xid, forgotten_position = last.position from last`);
}

/** Whether nothing after a place was deleted. */
export async function isComplete(db: Queryable, place: Place): Promise<boolean> {
  const row = await db.one<{ complete: boolean }>(sql`
    select (forgotten_xid, forgotten_position) <= (${place.xid}::xid8, ${place.position}::bigint) as complete from service`);
  return row.complete;
}

/** The place that an event id refers to in this outbox; undefined for an id of another outbox. */
export function parseId(id: string, epoch: string): Place | undefined {
  const match = /^([\w-]+)\.(\d{1,20})\.(\d{1,19})$/.exec(id);
  const [, own, xid, position] = match ?? [];
  // Larger numbers are no place: they exceed PostgreSQL's `bigint`.
  const is_place = own === epoch && xid && position && BigInt(position) < 2n ** 63n;
  return is_place ? { xid, position } : undefined;
}

/** Positive when the first place is after the second. */
export function comparePlaces(one: Place, other: Place): number {
  const difference = BigInt(one.xid) - BigInt(other.xid) || BigInt(one.position) - BigInt(other.position);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}
