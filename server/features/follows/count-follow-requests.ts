import { endpoint } from '../../kernel/endpoint.ts';
import { Count } from '../../kernel/schema.ts';
import { countWaiting } from './queries.ts';

export const countFollowRequests = endpoint({
  id: 'countFollowRequests',
  route: 'GET /follow-requests/count',
  summary: 'Count your pending follow requests',
  reply: Count,
  async run({ caller, db, now }) {
    return db.one<{ count: number }>(countWaiting(caller.user_id, now));
  },
});
