import { DirectMessage, presentDirectMessage } from '../../domain/messages/direct-messages.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { resolveWindow, readWindow, WindowQuery } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { requireMember } from './queries.ts';
import { ThreadPath } from './schemas.ts';
import { selectMessagesOf } from './rules/thread-queries.ts';

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
    const page = await readWindow(
      resolveWindow('dm', query),
      'm.id',
      (which) => selectMessagesOf(db, path.thread_id, viewer, which),
      (row) => presentDirectMessage(row, viewer),
    );
    // Whether the thread exists for this person is only checked when no message was found.
    if (page.items.length === 0) await requireMember(db, path.thread_id, viewer.id);
    return page;
  },
});
