import { MessageEdits, selectEdits } from '../../domain/chat/reactions-and-edits.ts';
import { requireThread } from '../../domain/messages/threads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { ThreadMessagePath } from './schemas.ts';
import { isInThread } from './rules/thread-queries.ts';

export const listThreadMessageEdits = endpoint({
  id: 'listThreadMessageEdits',
  route: 'GET /dm/threads/{thread_id}/chat/{message_id}/edits',
  summary: 'List the edits of a thread message',
  extension: true,
  path: ThreadMessagePath,
  reply: MessageEdits,
  async run({ path, caller, db }) {
    const [, is_there, items] = await Promise.all([
      requireThread(db, path.thread_id, caller.user_id),
      isInThread(db, path, caller.user_id),
      selectEdits(db, 'dm', path.message_id),
    ]);
    if (!is_there) fail('not_found');
    return { items };
  },
});
