import { presentTag, Tag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { selectOwnTags } from './queries.ts';

export const listTags = endpoint({
  id: 'listTags',
  route: 'GET /xtags',
  summary: 'List your tags',
  query: PageQuery('tag'),
  reply: listOf(Tag),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await selectOwnTags(db, viewer.id, query);
    return toPage(rows, query, (row) => presentTag(row, viewer));
  },
});
