import { endpoint } from '../../kernel/endpoint.ts';
import { component, object, Type } from '../../kernel/schema.ts';
import { selectUnreadCounts } from './queries.ts';

const DmCount = component(
  'DmCount',
  object({
    count: Type.Integer({
      minimum: 0,
      description: 'Unread messages, excluding requests and muted threads.',
    }),
    pending: Type.Integer({ minimum: 0, description: 'Requests waiting for your answer.' }),
  }),
);

export const countUnreadDms = endpoint({
  id: 'countUnreadDms',
  route: 'GET /dm/unread-count',
  summary: 'Count your unread direct messages',
  reply: DmCount,
  async run({ caller, db, now }) {
    return selectUnreadCounts(db, caller.user_id, now);
  },
});
