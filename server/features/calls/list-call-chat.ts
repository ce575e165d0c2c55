import { openCallChat, requireParticipation } from '../../domain/chat/call-chat.ts';
import { ChatMessage, presentMessage } from '../../domain/chat/messages.ts';
import { JoinCode } from '../../domain/calls/state/calls.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { resolveWindow, readWindow, WindowQuery } from '../../kernel/page.ts';
import { listOf, object } from '../../kernel/schema.ts';

export const listCallChat = endpoint({
  id: 'listCallChat',
  route: 'GET /calls/{join_code}/chat',
  gate: 'guest',
  summary: 'List the chat messages of a call',
  description: 'A guest sees messages posted since they joined.',
  path: object({ join_code: JoinCode }),
  query: WindowQuery('chat'),
  reply: listOf(ChatMessage),
  async run({ caller, path, query, ...change }) {
    const { call } = await requireParticipation(change.db, path.join_code, callerIdOf(caller));
    const viewer = viewerOf({ caller, ...change });
    const read = await openCallChat(change.db, call.id, viewer.id, false);
    return readWindow(resolveWindow('chat', query), 'm.id', read, (row) => presentMessage(row, viewer));
  },
});
