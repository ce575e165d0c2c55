import { lockThread, selectSides, emitThread } from '../../domain/messages/threads.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { markRead } from './queries.ts';
import { ThreadPath } from './schemas.ts';

export const readThread = endpoint({
  id: 'readThread',
  route: 'POST /dm/threads/{thread_id}/read',
  summary: 'Mark a thread as read',
  description: 'Up to a message; the mark never moves back.',
  extension: true,
  idempotent: false,
  path: ThreadPath,
  body: object({ up_to_id: idOf('dm') }),
  async run({ path, body, caller, services, ...change }) {
    const { db } = change;
    const thread = await lockThread(db, path.thread_id, caller.user_id);
    const known = await db.maybe(
      sql`select 1 from dm_messages where id = ${body.up_to_id} and thread_id = ${thread.id}`,
    );
    if (!known) invalid({ up_to_id: 'is not a message in this thread' });
    if (!(await markRead(db, thread, body.up_to_id))) return;
    const [mine, theirs] = await selectSides(db, thread.id, caller.user_id);
    // Whoever waits for an answer is not told that they were read, nor is anybody without receipts.
    const is_told = thread.state === 'active' && theirs.peer_read_up_to !== null;
    emitThread(change, services, is_told ? [mine, theirs] : [mine]);
  },
});
