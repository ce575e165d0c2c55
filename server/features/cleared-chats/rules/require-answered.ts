import type { ThreadRow } from '../../../domain/messages/threads.ts';
import { fail } from '../../../kernel/errors.ts';

/**
 * A request is accepted or declined before its recipient clears it, who would otherwise answer what they no longer see.
 * @throws ApiError `thread_pending`
 */
export function requireAnswered({ state, initiator_id, user_id, last_message }: ThreadRow): void {
  if (state === 'pending' && initiator_id !== user_id && last_message !== null)
    fail('thread_pending', { message: 'Accept or decline the request first.' });
}
