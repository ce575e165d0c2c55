import { FollowRequest, presentOutgoing, request_columns, type RequestRow } from '../../domain/social/follows.ts';
import { mayOpenTag } from '../../domain/visibility/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';

export const listOutgoingFollowRequests = endpoint({
  id: 'listOutgoingFollowRequests',
  route: 'GET /follow-requests/outgoing',
  summary: 'List your pending follow requests',
  query: PageQuery('freq'),
  reply: listOf(FollowRequest),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    // The inner `u` is the tag's owner, as in the visibility rules of tags; the outer one is the requester.
    const rows = await db.many<RequestRow>(sql`
      select ${request_columns} from follow_requests r join tags t on t.id = r.tag_id join users u on u.id = r.user_id
      where r.user_id = ${viewer.id} and r.state in ('pending', 'declined') and r.expires_at > ${input.now}
        and exists (select 1 from users u where u.id = t.owner_id and ${mayOpenTag(viewer.id)})
      ${pageOf(query, 'r.id')}`);
    return toPage(rows, query, (row) => presentOutgoing(row, input.services.public_url));
  },
});
