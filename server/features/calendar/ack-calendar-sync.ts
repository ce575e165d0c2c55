import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, Type } from '../../kernel/schema.ts';
import { readCursor, requireFresh } from './rules/cursors.ts';

export const ackCalendarSync = endpoint({
  id: 'ackCalendarSync',
  route: 'POST /calendar/sync/ack',
  summary: 'Acknowledge a calendar sync',
  description: 'This session has stored everything before the cursor.',
  body: object({ cursor: Type.String({ minLength: 1, maxLength: 64 }) }),
  errors: ['gone'],
  async run({ body, caller: { user_id, session_id }, db, now }) {
    const cursor = readCursor(body.cursor);
    const calendar = await db.maybe<{ seq: number; forgotten_seq: number }>(sql`
      select seq::float8 as seq, forgotten_seq::float8 as forgotten_seq from calendar_users where user_id = ${user_id}`);
    requireFresh(cursor, calendar ?? { seq: 0, forgotten_seq: 0 }, now);
    // An acknowledgement that arrives after a later one has no effect.
    await db.run(sql`
      insert into calendar_acks (session_id, user_id, seq, acknowledged_at)
      values (${session_id}, ${user_id}, ${cursor.seq}, ${cursor.at})
      on conflict (session_id) do update set seq = greatest(calendar_acks.seq, excluded.seq),
        acknowledged_at = greatest(calendar_acks.acknowledged_at, excluded.acknowledged_at)`);
  },
});
