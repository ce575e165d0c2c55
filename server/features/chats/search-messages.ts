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
    'Searches all threads and group chats you can read, and with `all_chats` also the chats of calls and of your widgets; newest first. Ignores case and accents; each word also matches as a prefix.',
  extension: true,
  throttle: 'message_search',
  query: object({
    q: text(2, 100, 'All words must match.'),
    thread_id: optional({ ...idOf('thr'), description: 'Only in this thread.' }),
    group_id: optional({ ...idOf('grp'), description: 'Only in this group.' }),
    conference_id: optional({ ...idOf('conf'), description: 'Only in the chat of this call.' }),
    widget_id: optional({ ...idOf('wid'), description: 'Only in the chat of this widget.' }),
    guest_id: optional({
      ...idOf('gst'),
      description: 'With `widget_id`: only in the conversation of this guest and the notices to all guests.',
    }),
    all_chats: optional(Type.Boolean({ description: 'Also in the chats of calls and widgets.' })),
    ...offsetQuery,
    before_id: optional(
      Type.String({
        pattern: `${idPattern('dm')}|${idPattern('chat')}`,
        description: 'Only items older than this one.',
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
