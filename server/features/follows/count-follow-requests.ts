import { mayMeet } from '../../domain/visibility.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { Count } from '../../kernel/schema.ts';

export const countFollowRequests = endpoint({
  id: 'countFollowRequests',
  route: 'GET /follow-requests/count',
  summary: 'How many follow requests wait for you',
  reply: Count,
  async run({ caller, db, now }) {
    return db.one<{ count: number }>(sql`
      select count(*)::int as count from follow_requests r join tags t on t.id = r.tag_id join users u on u.id = r.user_id
      where r.owner_id = ${caller.user_id} and r.state = 'pending' and r.expires_at > ${now}
        and t.deleted_at is null and ${mayMeet(caller.user_id)}`);
  },
});
