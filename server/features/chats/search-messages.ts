import { findMessages, FoundMessage, presentFound } from '../../domain/messages/message-search.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { idPattern } from '../../kernel/id.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object, optional, text, Type } from '../../kernel/schema.ts';

export const searchMessages = endpoint({
  id: 'searchMessages',
  route: 'GET /messages/search',
  summary: 'Search your messages',
  description:
    'Newest first, over direct threads and group chats, as far as you can read them now. Case and accents do not matter, and a word stands for those that begin with it.',
  extension: true,
  throttle: 'message_search',
  query: object({
    q: text(2, 100, 'Every word must be there.'),
    thread_id: optional({ ...idOf('thr'), description: 'In this thread alone.' }),
    group_id: optional({ ...idOf('grp'), description: 'In this group alone.' }),
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
    if (query.thread_id !== undefined && query.group_id !== undefined)
      invalid({ thread_id: 'cannot be used together with group_id' });
    return toPage(await findMessages(db, viewer.id, query), query, (row) => presentFound(row, viewer));
  },
});
