import { requireGroupMembership, selectReadable } from '../../domain/chat/group-chats.ts';
import { ChatMessage, presentMessage } from '../../domain/chat/messages.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { resolveWindow, readWindow, WindowQuery } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { GroupPath } from './schemas.ts';

export const listGroupChat = endpoint({
  id: 'listGroupChat',
  route: 'GET /groups/{group_id}/chat',
  summary: 'List the messages of a group',
  description: 'Newest first, since you joined.',
  path: GroupPath,
  query: WindowQuery('chat'),
  reply: listOf(ChatMessage),
  async run({ path, query, db, ...input }) {
    const viewer = viewerOf(input);
    const membership = await requireGroupMembership(db, path.group_id, viewer.id);
    return readWindow(
      resolveWindow('chat', query),
      'm.id',
      (_which, span) => selectReadable(db, membership, viewer.id, span),
      (row) => presentMessage(row, viewer),
    );
  },
});
