import {
  FollowRequest,
  presentRequest,
  request_columns,
  request_states,
  type RequestRow,
} from '../../domain/social/follows.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional } from '../../kernel/schema.ts';

export const listFollowRequests = endpoint({
  id: 'listFollowRequests',
  route: 'GET /follow-requests',
  summary: 'List incoming follow requests',
  description: 'Pending requests by default.',
  query: object({ state: optional(oneOf(...request_states)), ...pageQuery('freq') }),
  reply: listOf(FollowRequest),
  async run({ caller, query, db, now, services }) {
    const state = query.state ?? 'pending';
    const waits = state === 'pending' ? sql`and r.expires_at > ${now}` : sql``;
    const rows = await db.many<RequestRow>(sql`
      select ${request_columns} from follow_requests r join tags t on t.id = r.tag_id join users u on u.id = r.user_id
      where r.owner_id = ${caller.user_id} and r.state = ${state} ${waits} and t.deleted_at is null and ${maySeeUser(caller.user_id)}
      ${pageOf(query, 'r.id')}`);
    return toPage(rows, query, (row) => presentRequest(row, services.public_url));
  },
});
