import { presentThread, requireThread, Thread } from '../../domain/messages/threads.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { ThreadPath } from './schemas.ts';

export const getThread = endpoint({
  id: 'getThread',
  route: 'GET /dm/threads/{thread_id}',
  summary: 'Get a thread',
  path: ThreadPath,
  reply: Thread,
  async run({ path, db, ...input }) {
    const viewer = viewerOf(input);
    return presentThread(await requireThread(db, path.thread_id, viewer.id), viewer);
  },
});
