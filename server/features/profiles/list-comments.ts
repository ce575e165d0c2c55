import { Comment, presentComment } from '../../domain/social/comments.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { requireProfileTag, selectComments } from './queries.ts';
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
    const rows = await selectComments(db, tag.id, viewer, query);
    return toPage(rows, query, (row) => presentComment(row, input));
  },
});
