import { lockThread, selectSides, emitThread } from '../../domain/messages/threads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { markRead, requireMark } from './queries.ts';
import { ThreadPath } from './schemas.ts';

export const readThread = endpoint({
  id: 'readThread',
  route: 'POST /dm/threads/{thread_id}/read',
  summary: 'Mark a thread as read',
  description: 'Up to a message; never moves backwards.',
  extension: true,
  idempotent: false,
  path: ThreadPath,
  body: object({ up_to_id: idOf('dm') }),
  async run({ path, body, caller, ...change }) {
    const { db } = change;
    const thread = await lockThread(db, path.thread_id, caller.user_id);
    await requireMark(db, thread, body.up_to_id);
    if (!(await markRead(db, thread, body.up_to_id))) return;
    const [mine, theirs] = await selectSides(db, thread.id, caller.user_id);
    // No read receipts in pending requests, nor when one of the two has receipts switched off, who are sent only the delivery.
    const is_delivery = (thread.delivered_up_to ?? '') < body.up_to_id;
    const sends_receipt = thread.state === 'active' && (theirs.peer_read_up_to !== null || is_delivery);
    emitThread(change, sends_receipt ? [mine, theirs] : [mine]);
  },
});
