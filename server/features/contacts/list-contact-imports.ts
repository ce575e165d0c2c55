import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { presentImport } from './events.ts';
import type { ImportRecord } from './queries.ts';
import { ImportBatch } from './schemas.ts';

export const listContactImports = endpoint({
  id: 'listContactImports',
  route: 'GET /contacts/imports',
  summary: 'List contact imports',
  description: 'Newest first.',
  query: PageQuery('imp'),
  reply: listOf(ImportBatch),
  async run({ caller, query, db }) {
    const rows = await db.many<ImportRecord>(sql`
      select * from contact_imports where owner_id = ${caller.user_id} ${pageOf(query, 'id')}`);
    return toPage(rows, query, presentImport);
  },
});
