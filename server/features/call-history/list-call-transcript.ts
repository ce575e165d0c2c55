import { openCallChat } from '../../domain/chat/call-chat.ts';
import { ChatMessage, presentMessage } from '../../domain/chat/messages.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { resolveWindow, readWindow, WindowQuery } from '../../kernel/page.ts';
import { idOf, listOf, object } from '../../kernel/schema.ts';
import { requireTranscript } from './queries.ts';

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
    await requireTranscript(db, path.conference_id, user_id);
    const viewer = viewerOf({ caller, services, now });
    const read = await openCallChat(db, path.conference_id, user_id, true);
    return readWindow(resolveWindow('chat', query), 'm.id', read, (row) => presentMessage(row, viewer));
  },
});
