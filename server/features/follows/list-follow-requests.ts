import { FollowRequest, presentRequest, request_states } from '../../domain/social/follow-requests.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional } from '../../kernel/schema.ts';
import { selectIncoming } from './queries.ts';

export const listFollowRequests = endpoint({
  id: 'listFollowRequests',
  route: 'GET /follow-requests',
  summary: 'List your incoming follow requests',
  description: 'Pending requests by default.',
  query: object({ state: optional(oneOf(...request_states)), ...pageQuery('freq') }),
  reply: listOf(FollowRequest),
  async run({ caller, query, db, now, services }) {
    const state = query.state ?? 'pending';
    const rows = await selectIncoming(db, caller.user_id, { ...query, state }, now);
    return toPage(rows, query, (row) => presentRequest(row, { services }));
  },
});
