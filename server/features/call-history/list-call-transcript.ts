import { openCallChat } from '../../domain/chat/call-chat.ts';
import { ChatMessage, presentMessage } from '../../domain/chat/messages.ts';
import { mayOpenTranscript } from '../../domain/visibility/calls.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { resolveWindow, readWindow, WindowQuery } from '../../kernel/page.ts';
import { idOf, listOf, object } from '../../kernel/schema.ts';

export const listCallTranscript = endpoint({
  id: 'listCallTranscript',
  route: 'GET /call-history/{conference_id}/chat',
  summary: 'List the chat of a past call',
  description: 'For those who were in the call.',
  path: object({ conference_id: idOf('conf') }),
  query: WindowQuery('chat'),
  reply: listOf(ChatMessage),
  async run({ caller, path, query, db, services, now }) {
    const { user_id } = caller;
    found(
      await db.maybe(sql`
        select 1 from call_participants p join calls c on c.id = p.call_id
        where p.call_id = ${path.conference_id} and p.user_id = ${user_id} and ${mayOpenTranscript(user_id)}`),
    );
    const viewer = viewerOf({ caller, services, now });
    const read = await openCallChat(db, path.conference_id, user_id, true);
    return readWindow(resolveWindow('chat', query), 'm.id', read, (row) => presentMessage(row, viewer));
  },
});
