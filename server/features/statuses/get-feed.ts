import { Status } from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { readFeed } from './rules/feed-page.ts';

export const getFeed = endpoint({
  id: 'getFeed',
  route: 'GET /feed',
  summary: 'List your feed',
  description: 'Statuses of the tags you follow, and your own.',
  query: PageQuery('post'),
  reply: listOf(Status),
  async run({ query, db, ...input }) {
    return readFeed(db, query, viewerOf(input));
  },
});
