import { presentTag, Tag, tagColumns, type TagRow } from '../../domain/tags.ts';
import { mayListTag, viewerOf } from '../../domain/visibility.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { default_limit, offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, text } from '../../kernel/schema.ts';
import { escapePattern } from '../../kernel/spelling.ts';
import { matchTag, searched } from './queries.ts';

export const searchTags = endpoint({
  id: 'searchTags',
  route: 'GET /xtags/search',
  summary: 'Search public tags',
  query: object({ q: text(1, 100, 'The beginning of a name, a word of the title, or nearly so.'), ...offsetQuery }),
  reply: listOf(Tag),
  async run({ db, query, ...input }) {
    const viewer = viewerOf(input);
    const q = query.q.toLowerCase();
    const prefix = `${escapePattern(q)}%`;
    const rows = await db.many<TagRow>(sql`
      select ${tagColumns(viewer)} from tags t join users u on u.id = t.owner_id
      where ${mayListTag(viewer.id)} and ${matchTag(q)}
      order by (t.name = ${q}) desc, (t.name like ${prefix}) desc, (${searched} ilike ${`%${prefix}`}) desc,
               word_similarity(${q}, ${searched}) desc, t.id desc
      limit ${(query.limit ?? default_limit) + 1} offset ${query.offset ?? 0}`);
    return toPage(rows, query, (row) => presentTag(row, viewer));
  },
});
