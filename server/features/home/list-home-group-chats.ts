import { GroupChat, presentGroupChat, selectGroupChats } from '../../domain/chat/group-chat-list.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idPattern } from '../../kernel/id.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, optional, Type } from '../../kernel/schema.ts';

export const listHomeGroupChats = endpoint({
  id: 'listHomeGroupChats',
  route: 'GET /home/group-chat',
  summary: 'List your group chats',
  description: 'Pinned chats first, then by the most recent message.',
  query: object({
    ...offsetQuery,
    before_id: optional(
      Type.String({
        pattern: `${idPattern('grp')}|${idPattern('chat')}`,
        description:
          'Only chats after that of this group, or after this `last_message`; the latter remains exact when the chat has moved up in the meantime.',
      }),
    ),
    archived: optional(Type.Boolean({ description: 'Archived chats only; without it, all others.' })),
  }),
  reply: listOf(GroupChat),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    return toPage(await selectGroupChats(db, viewer.id, query), query, (row) => presentGroupChat(row, viewer));
  },
});
