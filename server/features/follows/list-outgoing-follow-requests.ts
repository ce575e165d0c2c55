import { FollowRequest, presentOutgoing } from '../../domain/social/follow-requests.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { selectOutgoing } from './queries.ts';

export const listOutgoingFollowRequests = endpoint({
  id: 'listOutgoingFollowRequests',
  route: 'GET /follow-requests/outgoing',
  summary: 'List your outgoing follow requests',
  query: PageQuery('freq'),
  reply: listOf(FollowRequest),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await selectOutgoing(db, viewer, query);
    return toPage(rows, query, (row) => presentOutgoing(row, input));
  },
});
