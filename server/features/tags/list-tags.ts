import { presentTag, Tag, tag_columns, type TagRow } from '../../domain/tags.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';

export const listTags = endpoint({
  id: 'listTags',
  route: 'GET /xtags',
  summary: 'Your tags',
  query: PageQuery('tag'),
  reply: listOf(Tag),
  async run({ caller, db, query, services }) {
    const rows = await db.many<TagRow>(sql`
      select ${tag_columns} from tags t join users u on u.id = t.owner_id
      where t.owner_id = ${caller.user_id} and t.deleted_at is null ${pageOf(query, 't.id')}`);
    return toPage(rows, query, (row) => presentTag(row, caller.user_id, services.public_url));
  },
});
