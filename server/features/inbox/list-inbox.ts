import {
  inbox_kinds,
  InboxMessage,
  maySeeMessage,
  presentInboxMessage,
  selectInbox,
} from '../../domain/inbox/inbox.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { pageOf, pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional, Type } from '../../kernel/schema.ts';

export const listInbox = endpoint({
  id: 'listInbox',
  route: 'GET /inbox',
  summary: 'List inbox messages',
  query: object({
    kind: optional(oneOf(...inbox_kinds)),
    unread: optional(Type.Boolean({ description: 'Only unread items.' })),
    ...pageQuery('msg'),
  }),
  reply: listOf(InboxMessage),
  async run({ caller, origin, query, db, services, now }) {
    const kind = query.kind ? sql`and m.kind = ${query.kind}` : sql``;
    const unread = query.unread ? sql`and m.read_at is null` : sql``;
    const rows = await selectInbox(
      db,
      sql`${maySeeMessage(caller.user_id)} ${kind} ${unread} ${pageOf(query, 'm.id')}`,
    );
    const viewer = viewerOf({ caller, services, now });
    const language = languageOfOrigin(origin);
    return toPage(rows, query, (row) => presentInboxMessage(row, viewer, language));
  },
});
