import { sql } from '../../../kernel/database/database.ts';
import { job } from '../../../kernel/job.ts';
import type { Change } from '../../../kernel/services.ts';
import { after } from '../../../kernel/time.ts';

/** How long deletions of one thread are collected, in seconds: one pass over the events erases all of them. */
const collect_s = 30;

type People = { low_id: string; high_id: string };

/**
 * Erases the text of deleted messages of two people from the stored events. No event with such a text is replayed
 * anyway (`domain/visibility/replay.ts`); this removes it from the database before the events expire.
 */
export const eraseEvents = job<People>({
  name: 'dm.erase-events',
  max_attempts: 10,
  async run({ low_id, high_id }, { db }) {
    const topics = [`user:${low_id}`, `user:${high_id}`];
    await db.run(sql`
      delete from events e using dm_messages m
      where e.topic = any(${topics}::text[]) and e.type = 'dm.message' and m.id = e.data -> 'message' ->> 'id'
        and m.deleted_at is not null and e.data -> 'message' ->> 'body' <> ''`);
    await db.run(sql`
      update events e
      set data = jsonb_set(jsonb_set(e.data::jsonb, '{thread,last_message,body}', '""'), '{thread,last_message,media}', '[]')
      from dm_messages m
      where e.topic = any(${topics}::text[]) and e.type = 'dm.thread' and m.id = e.data -> 'thread' -> 'last_message' ->> 'id'
        and m.deleted_at is not null and e.data -> 'thread' -> 'last_message' ->> 'body' <> ''`);
  },
});

/** Plans the erasure. Passes run one after the other, since one reads all events of two people. */
export function planEraseEvents({ enqueue, now }: Pick<Change, 'enqueue' | 'now'>, one_id: string, other_id: string) {
  const [low_id = '', high_id = ''] = [one_id, other_id].toSorted();
  const key = `${eraseEvents.name}:${low_id}:${high_id}`;
  enqueue(eraseEvents, { low_id, high_id }, { key, queue: eraseEvents.name, run_at: after(now, collect_s) });
}
