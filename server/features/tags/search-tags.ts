import { presentTag, Tag, tagColumns, type TagRow } from '../../domain/tags.ts';
import { mayListTag, viewerOf } from '../../domain/visibility.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { default_limit, offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, text } from '../../kernel/schema.ts';
import { findTags } from './queries.ts';

export const searchTags = endpoint({
  id: 'searchTags',
  route: 'GET /xtags/search',
  summary: 'Search public tags, best first',
  query: object({
    q: text(1, 100, 'The beginning of a name; words of name, title, description or owner, or nearly so.'),
    ...offsetQuery,
  }),
  reply: listOf(Tag),
  async run({ db, query, ...input }) {
    const viewer = viewerOf(input);
    const rows = await db.many<TagRow>(sql`
      select ${tagColumns(viewer)} from (${findTags(query.q.trim().toLowerCase())}) found
        join tags t on t.id = found.id join users u on u.id = t.owner_id
      where ${mayListTag(viewer.id)}
      order by found.rank, t.follower_count desc, t.id desc
      limit ${(query.limit ?? default_limit) + 1} offset ${query.offset ?? 0}`);
    return toPage(rows, query, (row) => presentTag(row, viewer));
  },
});
