import { requireStatus } from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object } from '../../kernel/schema.ts';
import { presentReply, Reply } from './schemas.ts';
import { selectReplies } from './queries.ts';

export const listReplies = endpoint({
  id: 'listReplies',
  route: 'GET /statuses/{post_id}/replies',
  summary: 'List replies',
  description: 'Newest first.',
  path: object({ post_id: idOf('post') }),
  query: PageQuery('reply'),
  reply: listOf(Reply),
  async run({ path, query, db, ...input }) {
    const viewer = viewerOf(input);
    await requireStatus(db, path.post_id, viewer);
    const rows = await selectReplies(db, path.post_id, viewer, query);
    return toPage(rows, query, (row) => presentReply(row, input));
  },
});
