import {
  editsColumns,
  from_statuses,
  presentStatus,
  Status,
  statusColumns,
  type StatusRow,
} from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { default_limits } from '../../kernel/load/limits.ts';

export const listStatuses = endpoint({
  id: 'listStatuses',
  route: 'GET /statuses',
  summary: 'List your statuses',
  description: 'With their edit history.',
  query: PageQuery('post'),
  reply: listOf(Status),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await db.many<StatusRow>(sql`
      select ${statusColumns(viewer)}, ${editsColumns(default_limits.status_edits_listed)} from ${from_statuses}
      where s.author_id = ${viewer.id} and t.deleted_at is null ${pageOf(query, 's.id')}`);
    return toPage(rows, query, (row) => presentStatus(row, viewer));
  },
});
