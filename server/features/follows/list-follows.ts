import { presentTag, Tag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { component, idOf, listOf, moment, object } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { selectFollowed } from './queries.ts';

export const Follow = component('Follow', object({ id: idOf('fol'), tag: Tag, followed_at: moment }));

export const listFollows = endpoint({
  id: 'listFollows',
  route: 'GET /follows',
  summary: 'List the tags you follow',
  query: PageQuery('fol'),
  reply: listOf(Follow),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await selectFollowed(db, viewer, query);
    return toPage(rows, query, (row) => ({
      id: row.follow_id,
      tag: presentTag(row, viewer),
      followed_at: wireTime(row.followed_at),
    }));
  },
});
