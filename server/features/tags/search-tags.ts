import { presentTag, Tag, tagColumns, type TagRow } from '../../domain/social/tags.ts';
import { mayListTag } from '../../domain/visibility/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql, ofVariableText, type Sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { default_limit, offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, text } from '../../kernel/schema.ts';
import { wordsOf } from '../../kernel/search/spelling.ts';
import { findTags } from './queries.ts';

export const searchTags = endpoint({
  id: 'searchTags',
  route: 'GET /xtags/search',
  summary: 'Search public tags',
  description: 'Best matches first.',
  throttle: 'tag_search',
  query: object({
    q: text(
      1,
      100,
      'Matches prefixes of names, and words of the name, title, description and owner; tolerates typing errors.',
    ),
    ...offsetQuery,
  }),
  reply: listOf(Tag),
  async run({ db, query, ...input }) {
    const viewer = viewerOf(input);
    const { commonWords } = input.services;
    const common = { tags: await commonWords('tags_spelling'), owners: await commonWords('users_spelling') };
    const limit = (query.limit ?? default_limit) + 1;
    // Matches are checked for visibility in rank order until the page is full: `offset 0` prevents the planner from
    // checking all of them.
    const typed = query.q.trim().toLowerCase();
    // The text of the statement depends on the kind of each word, and its plan takes up to a megabyte.
    const bound = wordsOf(typed).length > 2 ? ofVariableText : (one: Sql) => one;
    const find = (near: boolean) =>
      db.many<TagRow>(
        bound(sql`
        select seen.* from (${findTags(typed, common, { near })}) found
          cross join lateral (
            select ${tagColumns(viewer)} from tags t join users u on u.id = t.owner_id
            where t.id = found.id and ${mayListTag(viewer.id)} offset 0) seen
        order by found.rank, found.follower_count desc, found.id desc
        limit ${limit} offset ${query.offset ?? 0}`),
      );
    // Near matches come last: when exact ones fill the page, they are not searched for.
    const exact = await find(false);
    const rows = exact.length === limit ? exact : await find(true);
    return toPage(rows, query, (row) => presentTag(row, viewer));
  },
});
