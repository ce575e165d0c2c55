import { emitThread, lockThread, selectSides } from '../../domain/messages/threads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { markDelivered, requireMark } from './queries.ts';
import { ThreadPath } from './schemas.ts';

export const markThreadDelivered = endpoint({
  id: 'markThreadDelivered',
  route: 'POST /dm/threads/{thread_id}/delivered',
  summary: 'Say that a device has what was written',
  description:
    'Up to a message, as soon as the stream has brought it or it was fetched; the mark never moves back. What is read needs no such word.',
  extension: true,
  idempotent: false,
  path: ThreadPath,
  body: object({ up_to_id: idOf('dm') }),
  async run({ path, body, caller, services, ...change }) {
    const { db } = change;
    const thread = await lockThread(db, path.thread_id, caller.user_id);
    await requireMark(db, thread.id, body.up_to_id);
    if (!(await markDelivered(db, thread, body.up_to_id))) return;
    const [, theirs] = await selectSides(db, thread.id, caller.user_id);
    // As with read receipts: not in pending requests, nor when either has receipts switched off.
    if (thread.state === 'active' && theirs.peer_delivered_up_to !== null) emitThread(change, services, [theirs]);
  },
});
