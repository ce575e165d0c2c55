import { endpoint } from '../../kernel/endpoint.ts';
import { Count } from '../../kernel/schema.ts';
import { countUnread } from './queries.ts';

export const countUnreadNotifications = endpoint({
  id: 'countUnreadNotifications',
  route: 'GET /notifications/unread-count',
  summary: 'Count your unread notifications',
  reply: Count,
  async run({ caller, db }) {
    return countUnread(db, caller.user_id);
  },
});
