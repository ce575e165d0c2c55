import { inbox_kinds, InboxMessage, presentInboxMessage } from '../../domain/inbox/inbox.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { selectMessages } from './queries.ts';

export const listInbox = endpoint({
  id: 'listInbox',
  route: 'GET /inbox',
  summary: 'List your inbox messages',
  query: object({
    kind: optional(oneOf(...inbox_kinds)),
    unread: optional(Type.Boolean({ description: 'Only unread items.' })),
    ...pageQuery('msg'),
  }),
  reply: listOf(InboxMessage),
  async run({ caller, origin, query, db, services, now }) {
    const rows = await selectMessages(db, caller.user_id, query);
    const viewer = viewerOf({ caller, services, now });
    const language = languageOfOrigin(origin);
    return toPage(rows, query, (row) => presentInboxMessage(row, viewer, language));
  },
});
