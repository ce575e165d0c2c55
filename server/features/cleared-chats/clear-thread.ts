import { emitThread, lockThread, presentThread, requireThread, Thread } from '../../domain/messages/threads.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { clearThreadOf } from './queries.ts';
import { requireAnswered } from './rules/require-answered.ts';
import { ThreadPath } from './schemas.ts';

export const clearThread = endpoint({
  id: 'clearThread',
  route: 'POST /dm/threads/{thread_id}/clear',
  summary: 'Clear a thread for yourself',
  description:
    'You no longer see what was written up to now; the other person keeps it and is not notified. The thread stays in your lists.',
  extension: true,
  path: ThreadPath,
  reply: Thread,
  errors: ['thread_pending'],
  async run({ path, ...change }) {
    const { db } = change;
    const viewer = viewerOf(change);
    const thread = await lockThread(db, path.thread_id, viewer.id);
    requireAnswered(thread);
    const [, cleared] = await Promise.all([
      clearThreadOf(db, { thread_id: thread.id, user_id: viewer.id, is_removed: false }),
      requireThread(db, thread.id, viewer.id),
    ]);
    emitThread(change, [cleared]);
    return presentThread(cleared, viewer);
  },
});
