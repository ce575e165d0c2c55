import { endpoint } from '../../kernel/endpoint.ts';
import { object, Type } from '../../kernel/schema.ts';
import { readCursor, requireFresh } from './rules/cursors.ts';
import { recordAck, selectCalendarState } from './rules/sync-queries.ts';

export const ackCalendarSync = endpoint({
  id: 'ackCalendarSync',
  route: 'POST /calendar/sync/ack',
  summary: 'Acknowledge a calendar sync',
  description: 'This session has stored everything before the cursor.',
  body: object({ cursor: Type.String({ minLength: 1, maxLength: 64 }) }),
  errors: ['gone'],
  async run({ body, caller: { user_id, session_id }, db, now }) {
    const cursor = readCursor(body.cursor);
    const calendar = await selectCalendarState(db, user_id);
    requireFresh(cursor, calendar, now);
    await recordAck(db, { user_id, session_id }, cursor);
  },
});
