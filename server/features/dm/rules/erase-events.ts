import { sql, type Queryable } from '../../../kernel/database/database.ts';
import { job } from '../../../kernel/job.ts';
import type { OutboxCursor } from '../../../kernel/realtime/outbox.ts';
import type { Change } from '../../../kernel/services.ts';
import { after } from '../../../kernel/time.ts';

/** How long deletions of one thread are collected, in seconds: one pass over the events erases all of them. */
const collect_s = 30;

/** The events that one statement looks through. */
const portion = 1000;

type People = { low_id: string; high_id: string };

/**
 * Erases the text of deleted messages of two people from the stored events. No event with such a text is replayed
 * anyway (`domain/visibility/replay.ts`); this removes it from the database before the events expire.
 */
export const eraseEvents = job<People>({
  name: 'dm.erase-events',
  max_attempts: 10,
  async run({ low_id, high_id }, { db }) {
    for (const user_id of [low_id, high_id]) await eraseIn(db, `user:${user_id}`);
  },
});

/**
 * Erases the texts in the events of one person, portion by portion: an account can have millions of events of a day, and
 * while a statement changes some of them, no event of anybody is delivered.
 */
async function eraseIn(db: Queryable, topic: string): Promise<void> {
  let cursor: OutboxCursor = { xid: '0', position: '0' };
  for (let end = await selectEnd(db, topic, cursor); end; end = await selectEnd(db, topic, cursor)) {
    await erasePortion(db, topic, cursor, end);
    cursor = end;
  }
}

/** The cursor of the last event of the next portion. */
const selectEnd = (db: Queryable, topic: string, { xid, position }: OutboxCursor): Promise<OutboxCursor | undefined> =>
  db.maybe<OutboxCursor>(sql`
    select xid::text, position::text from (
      select xid, position from events
      where topic = ${topic} and (xid, position) > (${xid}::xid8, ${position}::bigint)
      order by events.xid, events.position limit ${portion}::int) next
    order by next.xid desc, next.position desc limit 1`);

async function erasePortion(db: Queryable, topic: string, from: OutboxCursor, to: OutboxCursor): Promise<void> {
  const is_in_portion = sql`e.topic = ${topic} and (e.xid, e.position) > (${from.xid}::xid8, ${from.position}::bigint)
    and (e.xid, e.position) <= (${to.xid}::xid8, ${to.position}::bigint)`;
  await db.run(sql`
    delete from events e using dm_messages m
    where ${is_in_portion} and e.type = 'dm.message' and m.id = e.data -> 'message' ->> 'id'
      and m.deleted_at is not null and e.data -> 'message' ->> 'body' <> ''`);
  await db.run(sql`
    update events e
    set data = jsonb_set(jsonb_set(e.data::jsonb, '{thread,last_message,body}', '""'), '{thread,last_message,media}', '[]')
    from dm_messages m
    where ${is_in_portion} and e.type = 'dm.thread' and m.id = e.data -> 'thread' -> 'last_message' ->> 'id'
      and m.deleted_at is not null and e.data -> 'thread' -> 'last_message' ->> 'body' <> ''`);
}

/** Plans the erasure. Passes run one after the other, since one reads all events of two people. */
export function planEraseEvents({ enqueue, now }: Pick<Change, 'enqueue' | 'now'>, one_id: string, other_id: string) {
  const [low_id = '', high_id = ''] = [one_id, other_id].toSorted();
  const key = `${eraseEvents.name}:${low_id}:${high_id}`;
  enqueue(eraseEvents, { low_id, high_id }, { key, queue: eraseEvents.name, run_at: after(now, collect_s) });
}
