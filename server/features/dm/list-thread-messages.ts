import {
  DirectMessage,
  presentDirectMessage,
  requireMember,
  selectDirectMessages,
} from '../../domain/messages/threads.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { enterAt, readWindow, WindowQuery } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { ThreadPath } from './schemas.ts';

export const listThreadMessages = endpoint({
  id: 'listThreadMessages',
  route: 'GET /dm/threads/{thread_id}/chat',
  summary: 'List the messages of a thread',
  description: 'Newest first. Deleted messages keep their place without content.',
  path: ThreadPath,
  query: WindowQuery('dm'),
  reply: listOf(DirectMessage),
  async run({ path, query, db, ...input }) {
    const viewer = viewerOf(input);
    // Both at once: who may not see the thread gets nothing of what the second has read.
    const [, page] = await Promise.all([
      requireMember(db, path.thread_id, viewer.id),
      readWindow(
        enterAt('dm', query),
        'm.id',
        (which) => selectDirectMessages(db, sql`m.thread_id = ${path.thread_id} ${which}`),
        (row) => presentDirectMessage(row, viewer),
      ),
    ]);
    return page;
  },
});
