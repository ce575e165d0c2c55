import type { Static } from '../../../kernel/schema.ts';
import { clearNotifications } from '../../../domain/notifications/notifications.ts';
import {
  lockThread,
  presentThread,
  selectSides,
  emitThread,
  type Thread,
  type ThreadState,
} from '../../../domain/messages/threads.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Change, Services } from '../../../kernel/services.ts';
import { decideThread, type WriterThread } from '../queries.ts';

/** Where a message moves its thread; `decided` when it is the answer to a request. */
export type Move = { state: ThreadState; initiator_id: string; decided: boolean };

type BudgetState = Pick<
  WriterThread,
  'user_id' | 'initiator_id' | 'state' | 'decided_at' | 'has_messages' | 'reached' | 'knows'
>;

/**
 * What writing does to a thread, on the side of whoever writes: the first message begins it, an answer accepts it, and
 * whoever waits for an answer writes nothing more. Whom they wrote to first may write back whatever their reach is.
 * @throws ApiError `forbidden` when the peer's reach does not let them through, `thread_pending`
 */
export function decideMove(thread: BudgetState): Move {
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
 * Answers a request, by whom it was made to. Accepting is told to both, declining to the devices of whoever declines.
 * @throws ApiError `not_found`, `forbidden` for whoever began the thread, `already_decided`
 */
export async function answerRequest(
  change: Change,
  services: Services,
  { thread_id, user_id, answer }: { thread_id: string; user_id: string; answer: 'active' | 'declined' },
): Promise<Static<typeof Thread>> {
  const thread = await lockThread(change.db, thread_id, user_id);
  if (thread.initiator_id === user_id) fail('forbidden', { message: 'Only the recipient can answer this request.' });
  if (thread.state !== 'pending') fail('already_decided');
  await decideThread(change, thread, answer);
  await clearNotifications(change, [thread.id]);
  const [mine, theirs] = await selectSides(change.db, thread.id, user_id);
  emitThread(change, services, answer === 'active' ? [mine, theirs] : [mine]);
  return presentThread(mine, { id: user_id, now: change.now, services });
}
