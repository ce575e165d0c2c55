import { Comment, comment_columns, presentComment, type CommentRow } from '../../domain/social/comments.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { requireProfileTag } from './queries.ts';
import { ProfilePath } from './schemas.ts';

export const listComments = endpoint({
  id: 'listComments',
  route: 'GET /profiles/{xtag}/comments',
  summary: 'List comments',
  description: 'Newest first.',
  gate: 'optional',
  path: ProfilePath,
  query: PageQuery('cmt'),
  reply: listOf(Comment),
  async run({ path, query, db, ...input }) {
    const viewer = viewerOf(input);
    const tag = await requireProfileTag(db, path.xtag, viewer);
    const rows = await db.many<CommentRow>(sql`
      select ${comment_columns} from comments c join users u on u.id = c.author_id
      where c.tag_id = ${tag.id} and c.hidden_at is null and ${maySeeUser(viewer.id)} ${pageOf(query, 'c.id')}`);
    return toPage(rows, query, (row) => presentComment(row, input.services.public_url));
  },
});
