import { dmGone, lockThread } from '../../domain/messages/threads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { clearThreadOf, isRemoved } from './queries.ts';
import { requireAnswered } from './rules/require-answered.ts';
import { ThreadPath } from './schemas.ts';

export const deleteThread = endpoint({
  id: 'deleteThread',
  route: 'DELETE /dm/threads/{thread_id}',
  summary: 'Delete a thread for yourself',
  description:
    'Removes it from your lists with what was written up to now; the other person keeps theirs and is not notified. A new message brings it back with what is written from then on.',
  extension: true,
  path: ThreadPath,
  errors: ['thread_pending'],
  async run({ path: { thread_id }, caller: { user_id }, db, emit }) {
    // Repeated, as after a lost answer.
    if (await isRemoved(db, thread_id, user_id)) return;
    const thread = await lockThread(db, thread_id, user_id);
    requireAnswered(thread);
    await clearThreadOf(db, { thread_id, user_id, is_removed: true });
    emit(dmGone, [`user:${user_id}`], { id: thread_id });
  },
});
