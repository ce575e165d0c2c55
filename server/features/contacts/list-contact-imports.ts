import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { presentImport } from './events.ts';
import { ImportBatch } from './schemas.ts';
import { selectImports } from './rules/import-queries.ts';

export const listContactImports = endpoint({
  id: 'listContactImports',
  route: 'GET /contacts/imports',
  summary: 'List your contact imports',
  description: 'Newest first.',
  query: PageQuery('imp'),
  reply: listOf(ImportBatch),
  async run({ caller, query, db }) {
    const rows = await selectImports(db, caller.user_id, query);
    return toPage(rows, query, presentImport);
  },
});
