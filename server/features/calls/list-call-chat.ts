import { publicUserJson } from '../../domain/accounts.ts';
import { JoinCode } from '../../domain/conferences.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object } from '../../kernel/schema.ts';
import type { CallMessageRow } from './queries.ts';
import { ChatMessage, presentMessage, requirePart } from './schemas.ts';

export const listCallChat = endpoint({
  id: 'listCallChat',
  route: 'GET /calls/{join_code}/chat',
  summary: 'Call chat scrollback',
  path: object({ join_code: JoinCode }),
  query: PageQuery('chat'),
  reply: listOf(ChatMessage),
  async run({ caller, path, query, db, services }) {
    const { call } = await requirePart(db, path.join_code, caller.user_id);
    const rows = await db.many<CallMessageRow>(sql`
      select m.id, m.kind, m.body, m.created_at,
        ${publicUserJson('u')} as author
      from call_messages m join users u on u.id = m.author_id where m.call_id = ${call.id} ${pageOf(query, 'm.id')}`);
    return toPage(rows, query, (row) => presentMessage(row, services.public_url));
  },
});
