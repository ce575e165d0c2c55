import {
  editsColumns,
  from_statuses,
  presentStatus,
  Status,
  statusColumns,
  withoutEdits,
  type StatusRow,
} from '../../domain/social/statuses.ts';
import { maySeeStatus } from '../../domain/visibility/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { default_limits } from '../../kernel/load/limits.ts';

export const getStatus = endpoint({
  id: 'getStatus',
  route: 'GET /statuses/{post_id}',
  summary: 'Get a status',
  description: 'Its author gets the edit history as well.',
  extension: true,
  path: object({ post_id: idOf('post') }),
  reply: Status,
  async run({ path, db, ...input }) {
    const viewer = viewerOf(input);
    const row = found(
      await db.maybe<StatusRow>(sql`
        select ${statusColumns(viewer)}, ${editsColumns(default_limits.status_edits)}
        from ${from_statuses} where s.id = ${path.post_id} and ${maySeeStatus(viewer.id)}`),
    );
    return presentStatus(row.author.id === viewer.id ? row : withoutEdits(row), viewer);
  },
});
