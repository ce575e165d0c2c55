/**
 * The outbox: events stored with the change that caused them, read by every node in commit order.
 *
 * A sequence number alone cannot determine what a reader has missed, since a transaction with an earlier number may
 * commit later. So the order is (transaction id, position), and a reader stops before the oldest transaction that is
 * still running: everything before that is complete.
 */
import { join, sql, type Queryable, type Sql } from '../database/database.ts';
import type { Emission, ComputedMembers } from '../event.ts';
import { after } from '../time.ts';

/** A position in the outbox: all events up to and including one. `xid` and `position` are 64-bit numbers as text. */
export type OutboxCursor = { xid: string; position: string };

/** An event as the outbox stores it; its data as JSON. */
export type StoredEvent = OutboxCursor & { topic: string; type: string; at: Date; data: string };

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
  const groups = groupByData(emissions);
  const jsonOf = ({ data, computed }: Emission) => (computed ? jsonWith(data, computed) : sql`${JSON.stringify(data)}`);
  if (groups.length === emissions.length) {
    const rows = emissions.map(
      (one) => sql`(${one.topic}::text, ${one.type}::text, ${jsonOf(one)}::json, ${now}::timestamptz)`,
    );
    await db.run(sql`${before}insert into events (topic, type, data, at) values ${join(rows)}`);
    return;
  }
  const rows = groups.map(
    ({ topics, first }, at) => sql`(${at}::int, ${topics}::text[], ${first.type}::text, ${jsonOf(first)}::json)`,
  );
  await db.run(sql`
    ${before}insert into events (topic, type, data, at)
    select receiver.topic, one.type, one.data, ${now}::timestamptz
    from (values ${join(rows)}) as one (cursor, topics, type, data),
      unnest(one.topics) with ordinality as receiver (topic, number)
    order by one.cursor, receiver.number`);
}

/**
 * Events that follow each other and differ in their topic only. The data of each group are encoded and sent once: those of
 * a large call have tens of kilobytes, and hundreds of receivers.
 */
function groupByData(emissions: Emission[]): { topics: string[]; first: Emission }[] {
  const groups: { topics: string[]; first: Emission }[] = [];
  for (const one of emissions) {
    const last = groups.at(-1);
    const is_same =
      last && last.first.data === one.data && last.first.type === one.type && last.first.computed === one.computed;
    if (is_same) last.topics.push(one.topic);
    else groups.push({ topics: [one.topic], first: one });
  }
  return groups;
}

/** The class of the advisory locks of transactions that insert no events. */
const deferring_class = 1_685_415_526;

/**
 * Declares that the current transaction inserts no events, for its whole duration: a lock named after it shows that to
 * readers, which then need not wait for it.
 */
export async function deferEvents(db: Queryable): Promise<void> {
  await db.run(sql`
    select pg_advisory_xact_lock(${deferring_class}::int, (pg_current_xact_id()::text::bigint & 2147483647)::int)`);
}

/** Events with what the database computes for them. */
export async function encodeEvents(db: Queryable, emissions: Emission[]): Promise<Emission[]> {
  const encode = async ({ computed, ...one }: Emission): Promise<Emission> => {
    if (!computed) return one;
    const { data } = await db.one<{ data: object }>(sql`select (${jsonWith(one.data, computed)})::json as data`);
    return { ...one, data };
  };
  return Promise.all(emissions.map(encode));
}

/** The JSON text of an object with members that the database computes. */
function jsonWith(data: object, computed: ComputedMembers): Sql {
  const known = JSON.stringify({
    ...data,
    ...Object.fromEntries(Object.keys(computed).map((name) => [name, undefined])),
  });
  const members = Object.entries(computed).map(
    ([name, value]) => sql`${`${JSON.stringify(name)}:`}::text || coalesce(to_json(${value})::text, 'null')`,
  );
  const separator = known === '{}' ? '' : ',';
  return sql`(${known.slice(0, -1) + separator}::text || ${join(members, " || ',' || ")} || '}')`;
}

/**
 * The oldest running transaction that may insert events, or the end of the snapshot: neither one that has declared that it
 * inserts none, nor one of another database of the server, since all databases share the numbers of transactions.
 */
const first_inserting = sql`
  select coalesce(
    (select running from pg_snapshot_xip(pg_current_snapshot()) running
     where not exists (
       select 1 from pg_locks l
       where l.locktype = 'advisory' and l.classid = ${deferring_class}::oid and l.objsubid = 2
         and l.objid = (running::text::bigint & 2147483647)::oid)
     and not exists (
       select 1 from pg_stat_activity a
       where a.backend_xid = running::xid and a.datname <> current_database())
     order by running limit 1),
    pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * The next events of all topics after a cursor, oldest first. `unsettled` ones are committed, but an older transaction
 * may still insert something before them. `more` is set when reading again soon is worthwhile. The order names its
 * table, because a bare name would mean the output column, which is text and sorts by its digits.
 * @param is_long whether to pass running transactions that cannot insert events: only when events wait for long, since
 *   reading the locks and databases of all transactions is expensive
 */
export async function selectEventsAfter(
  db: Queryable,
  cursor: OutboxCursor,
  limit: number,
  is_long = false,
): Promise<{ events: StoredEvent[]; unsettled: StoredEvent[]; more: boolean }> {
  const horizon = is_long ? sql`(${first_inserting})` : sql`pg_snapshot_xmin(pg_current_snapshot())`;
  const rows = await db.many<StoredEvent & { settled: boolean }>(sql`
    select xid::text, position::text, topic, type, at, data::text as data,
           xid < ${horizon} as settled
    from events where (xid, position) > (${cursor.xid}::xid8, ${cursor.position}::bigint)
    order by events.xid, events.position limit ${limit}`);
  const first = rows.findIndex((row) => !row.settled);
  const end = first < 0 ? rows.length : first;
  return { events: rows.slice(0, end), unsettled: rows.slice(end), more: end < rows.length || rows.length === limit };
}

/** What one receiver missed between two cursors, oldest first; `to` is included. */
export async function selectMissed(
  db: Queryable,
  topics: string[],
  from: OutboxCursor,
  to: OutboxCursor,
  limit: number,
): Promise<StoredEvent[]> {
  return db.many<StoredEvent>(sql`
    select xid::text, position::text, topic, type, at, data::text as data
    from events
    where topic = any(${topics}) and (xid, position) > (${from.xid}::xid8, ${from.position}::bigint)
      and (xid, position) <= (${to.xid}::xid8, ${to.position}::bigint)
    order by events.xid, events.position limit ${limit}`);
}

/** The epoch of the outbox, and the cursor of the newest event before which nothing can be inserted any more. */
export async function selectHead(db: Queryable): Promise<OutboxCursor & { epoch: string; oldest_at: Date | null }> {
  return db.one(sql`
    with newest as (
      select xid, position from events where xid < pg_snapshot_xmin(pg_current_snapshot())
      order by xid desc, position desc limit 1)
    select epoch, coalesce((select xid::text from newest), '0') as xid,
           coalesce((select position::text from newest), '0') as position,
           (select at from events order by xid, position limit 1) as oldest_at
    from service`);
}

/** An event from later than this was stored while the clock was wrong, and must not keep those after it for ever. */
const max_ahead_s = 3600;

/**
 * Deletes events too old to catch up with, at most `portion`: those before the first that is recent enough. Keeps the
 * cursor of the last deleted one, to decide when `reset` is due. In portions, since no event of anybody is delivered while
 * a statement deletes, and a single one for a busy hour would exceed its time limit again and again.
 * @param before the time of the oldest events to keep
 * @returns how many were deleted
 */
export async function deleteOldEvents(db: Queryable, before: Date, now: Date, portion: number): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    with oldest as (
      select ctid as row_id, xid, position, at from events order by events.xid, events.position limit ${portion}::int),
    kept as (
      select xid, position from oldest where at >= ${before} and at <= ${after(now, max_ahead_s)}
      order by oldest.xid, oldest.position limit 1),
    gone as (
      delete from events where ctid = any(array(
        select row_id from oldest o
        where not exists (select 1 from kept where (kept.xid, kept.position) <= (o.xid, o.position))))
      returning xid, position),
    last as (select xid, position from gone order by xid desc, position desc limit 1),
    noted as (update service set forgotten_xid = last.xid, forgotten_position = last.position from last)
    select count(*)::int as count from gone`);
  return count;
}

/**
 * Deletes events of a topic which nobody may receive any more, at most `portion`: a busy topic has millions, more than one
 * statement can delete in its time.
 * @returns how many were deleted
 */
export const deleteEventsOf = (db: Queryable, topic: string, portion: number): Promise<number> =>
  db.run(sql`
    delete from events where ctid = any(array(select ctid from events where topic = ${topic} limit ${portion}::int))`);

/** Whether nothing after a cursor was deleted. */
export async function isComplete(db: Queryable, cursor: OutboxCursor): Promise<boolean> {
  const row = await db.one<{ complete: boolean }>(sql`
    select (forgotten_xid, forgotten_position) <= (${cursor.xid}::xid8, ${cursor.position}::bigint) as complete from service`);
  return row.complete;
}

/** The cursor that an event id refers to in this outbox; undefined for an id of another outbox. */
export function parseId(id: string, epoch: string): OutboxCursor | undefined {
  const match = /^([\w-]+)\.(\d{1,20})\.(\d{1,19})$/.exec(id);
  const [, own, xid, position] = match ?? [];
  // Larger numbers are not cursors: they exceed PostgreSQL's `bigint`.
  const is_valid = own === epoch && xid && position && BigInt(position) < 2n ** 63n;
  return is_valid ? { xid, position } : undefined;
}

/** Positive when the first cursor is after the second. */
export function compareCursors(one: OutboxCursor, other: OutboxCursor): number {
  const difference = BigInt(one.xid) - BigInt(other.xid) || BigInt(one.position) - BigInt(other.position);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}
