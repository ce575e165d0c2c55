import type { Static } from '../../../kernel/schema.ts';
import { clearNotifications } from '../../../domain/notifications/clear-notifications.ts';
import {
  lockThread,
  presentThread,
  selectSides,
  emitThread,
  type Thread,
  type ThreadState,
} from '../../../domain/messages/threads.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Change } from '../../../kernel/services.ts';
import { decideThread, type WriterThread } from '../queries.ts';

/** The new state of a thread after a message; `decided` when it answers a request. */
export type ThreadTransition = { state: ThreadState; initiator_id: string; decided: boolean };

type ThreadRelation = Pick<
  WriterThread,
  'user_id' | 'initiator_id' | 'state' | 'decided_at' | 'has_messages' | 'reached' | 'knows'
>;

/**
 * The effect of a message on the state of a thread, for its sender: the first one starts it, an answer accepts it, and
 * no second one may follow a pending request. A recipient may answer even if the peer's reach excludes them.
 * @throws ApiError `forbidden` when the peer's reach excludes the sender, `thread_pending`
 */
export function decideTransition(thread: ThreadRelation): ThreadTransition {
  const { user_id, initiator_id, state, reached, knows } = thread;
  const is_first = !thread.has_messages && thread.decided_at === null;
  const answers = !is_first && initiator_id !== user_id;
  if (!reached && !answers) fail('forbidden', { message: 'You cannot send messages to this person.' });
  if (is_first) return { state: knows ? 'active' : 'pending', initiator_id: user_id, decided: false };
  if (state === 'active') return { state, initiator_id, decided: false };
  if (!answers) fail('thread_pending');
  return { state: 'active', initiator_id, decided: true };
}

/**
 * Accepts or declines a request on behalf of its recipient. Both are notified of an acceptance, only the recipient's
 * own devices of a decline.
 * @throws ApiError `not_found`, `forbidden` for the initiator, `already_decided`
 */
export async function answerRequest(
  change: Change,
  { thread_id, user_id, answer }: { thread_id: string; user_id: string; answer: 'active' | 'declined' },
): Promise<Static<typeof Thread>> {
  const thread = await lockThread(change.db, thread_id, user_id);
  if (thread.initiator_id === user_id) fail('forbidden', { message: 'Only the recipient can answer this request.' });
  if (thread.state !== 'pending') fail('already_decided');
  await decideThread(change, thread, answer);
  await clearNotifications(change, [thread.id]);
  const [mine, theirs] = await selectSides(change.db, thread.id, user_id);
  emitThread(change, answer === 'active' ? [mine, theirs] : [mine]);
  return presentThread(mine, { id: user_id, now: change.now, services: change.services });
}
