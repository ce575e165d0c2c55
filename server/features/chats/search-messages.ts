import { findMessages, FoundMessage, presentFound, requireOneChat } from '../../domain/messages/message-search.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idPattern } from '../../kernel/id.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object, optional, text, Type } from '../../kernel/schema.ts';

export const searchMessages = endpoint({
  id: 'searchMessages',
  route: 'GET /messages/search',
  summary: 'Search your messages',
  description:
    'Newest first, over direct threads and group chats, and with `all_chats` over the chats of calls and of your widgets as well, as far as you can read them now. Case and accents do not matter, and a word stands for those that begin with it.',
  extension: true,
  throttle: 'message_search',
  query: object({
    q: text(2, 100, 'Every word must be there.'),
    thread_id: optional({ ...idOf('thr'), description: 'In this thread alone.' }),
    group_id: optional({ ...idOf('grp'), description: 'In this group alone.' }),
    conference_id: optional({ ...idOf('conf'), description: 'In the chat of this call alone.' }),
    widget_id: optional({ ...idOf('wid'), description: 'In the chat of this widget alone.' }),
    guest_id: optional({
      ...idOf('gst'),
      description: "With `widget_id`: in this guest's conversation, and the notices to all guests.",
    }),
    all_chats: optional(Type.Boolean({ description: 'In the chats of calls and widgets as well.' })),
    ...offsetQuery,
    before_id: optional(
      Type.String({
        pattern: `${idPattern('dm')}|${idPattern('chat')}`,
        description: 'Only what is older than this one.',
      }),
    ),
  }),
  reply: listOf(FoundMessage),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    requireOneChat(query);
    return toPage(await findMessages(db, viewer.id, query), query, (row) => presentFound(row, viewer));
  },
});
