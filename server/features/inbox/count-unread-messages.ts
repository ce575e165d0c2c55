import { maySeeMessage } from '../../domain/inbox/inbox.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { Count } from '../../kernel/schema.ts';

export const countUnreadMessages = endpoint({
  id: 'countUnreadMessages',
  route: 'GET /inbox/unread-count',
  summary: 'Count unread inbox messages',
  reply: Count,
  async run({ caller, db }) {
    return db.one<{ count: number }>(sql`
      select count(*)::int as count from inbox_messages m where ${maySeeMessage(caller.user_id)} and m.read_at is null`);
  },
});
