import { presentTag, Tag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { default_limit, offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, text } from '../../kernel/schema.ts';
import { selectFound } from './queries.ts';

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
    const typed = query.q.trim().toLowerCase();
    const find = (near: boolean) => selectFound(db, viewer, { typed, common, near, limit, offset: query.offset ?? 0 });
    // Near matches come last: when exact ones fill the page, they are not searched for.
    const exact = await find(false);
    const rows = exact.length === limit ? exact : await find(true);
    return toPage(rows, query, (row) => presentTag(row, viewer));
  },
});
