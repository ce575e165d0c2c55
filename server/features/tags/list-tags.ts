import { own_tag_columns, presentTag, Tag, type TagRow } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';

export const listTags = endpoint({
  id: 'listTags',
  route: 'GET /xtags',
  summary: 'List your tags',
  query: PageQuery('tag'),
  reply: listOf(Tag),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await db.many<TagRow>(sql`
      select ${own_tag_columns} from tags t join users u on u.id = t.owner_id
      where t.owner_id = ${viewer.id} and t.deleted_at is null ${pageOf(query, 't.id')}`);
    return toPage(rows, query, (row) => presentTag(row, viewer));
  },
});
