import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { Count } from '../../kernel/schema.ts';

export const countUnreadNotifications = endpoint({
  id: 'countUnreadNotifications',
  route: 'GET /notifications/unread-count',
  summary: 'Count unread notifications',
  reply: Count,
  async run({ caller, db }) {
    return db.one<{ count: number }>(sql`
      select count(*)::int as count from notifications where user_id = ${caller.user_id} and read_at is null and not hidden`);
  },
});
