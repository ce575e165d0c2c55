import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { selectLinks } from './queries.ts';
import { presentLink } from './rules/links.ts';
import { LocationLink } from './schemas.ts';

export const listLocationLinks = endpoint({
  id: 'listLocationLinks',
  route: 'GET /location/links',
  summary: 'List your live location links',
  description: 'Newest first.',
  query: PageQuery('lnk'),
  reply: listOf(LocationLink),
  async run({ query, caller, db, now, services }) {
    const rows = await selectLinks(db, caller.user_id, query, now);
    return toPage(rows, query, (row) => presentLink(row, { services }));
  },
});
