import { emitThread, lockThread, selectSides } from '../../domain/messages/threads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { markDelivered, requireMark } from './queries.ts';
import { ThreadPath } from './schemas.ts';

export const markThreadDelivered = endpoint({
  id: 'markThreadDelivered',
  route: 'POST /dm/threads/{thread_id}/delivered',
  summary: 'Confirm delivery to a device',
  description:
    'Up to a message, once it was received by the stream or fetched; never moves backwards. Not needed for messages that are marked as read.',
  extension: true,
  idempotent: false,
  path: ThreadPath,
  body: object({ up_to_id: idOf('dm') }),
  async run({ path, body, caller, ...change }) {
    const { db } = change;
    const thread = await lockThread(db, path.thread_id, caller.user_id);
    await requireMark(db, thread, body.up_to_id);
    if (!(await markDelivered(db, thread, body.up_to_id))) return;
    // Not in pending requests; unlike what was read, it is no secret of those who have receipts switched off.
    if (thread.state !== 'active') return;
    const [, theirs] = await selectSides(db, thread.id, caller.user_id);
    emitThread(change, [theirs]);
  },
});
