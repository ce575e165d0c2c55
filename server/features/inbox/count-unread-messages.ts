import { endpoint } from '../../kernel/endpoint.ts';
import { Count } from '../../kernel/schema.ts';
import { countUnread } from './queries.ts';

export const countUnreadMessages = endpoint({
  id: 'countUnreadMessages',
  route: 'GET /inbox/unread-count',
  summary: 'Count your unread inbox messages',
  reply: Count,
  async run({ caller, db }) {
    return countUnread(db, caller.user_id);
  },
});
