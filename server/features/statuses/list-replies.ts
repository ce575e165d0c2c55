import { requireStatus } from '../../domain/social/statuses.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object } from '../../kernel/schema.ts';
import { presentReply, Reply, reply_columns, type ReplyRow } from './schemas.ts';

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
    const rows = await db.many<ReplyRow>(sql`
      select ${reply_columns} from replies r join users u on u.id = r.author_id
      where r.status_id = ${path.post_id} and r.hidden_at is null and ${maySeeUser(viewer.id)} ${pageOf(query, 'r.id')}`);
    return toPage(rows, query, (row) => presentReply(row, input.services.public_url));
  },
});
