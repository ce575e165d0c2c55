import { MessageEdits, selectEdits } from '../../domain/chat/reactions-and-edits.ts';
import { requireThread } from '../../domain/messages/threads.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { ThreadMessagePath } from './schemas.ts';

export const listThreadMessageEdits = endpoint({
  id: 'listThreadMessageEdits',
  route: 'GET /dm/threads/{thread_id}/chat/{message_id}/edits',
  summary: 'List the edits of a thread message',
  extension: true,
  path: ThreadMessagePath,
  reply: MessageEdits,
  async run({ path, caller, db }) {
    const [, message, items] = await Promise.all([
      requireThread(db, path.thread_id, caller.user_id),
      db.maybe(sql`select 1 from dm_messages where id = ${path.message_id} and thread_id = ${path.thread_id}`),
      selectEdits(db, 'dm', path.message_id),
    ]);
    found(message);
    return { items };
  },
});
