import { presentStatus, Status } from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { selectOwnStatuses } from './queries.ts';

export const listStatuses = endpoint({
  id: 'listStatuses',
  route: 'GET /statuses',
  summary: 'List your statuses',
  description: 'With their edit history.',
  query: PageQuery('post'),
  reply: listOf(Status),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await selectOwnStatuses(db, viewer, query);
    return toPage(rows, query, (row) => presentStatus(row, viewer));
  },
});
