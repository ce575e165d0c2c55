import { maySeeThread } from '../../domain/visibility/threads.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { component, object, Type, type Static } from '../../kernel/schema.ts';

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
  summary: 'Count unread direct messages',
  reply: DmCount,
  async run({ caller, db, now }) {
    return db.one<Static<typeof DmCount>>(sql`
      select coalesce(sum(d.unread_count) filter (where d.folder = 'main' and coalesce(d.muted_until <= ${now}, true)), 0)::int as count,
        (count(*) filter (where d.folder = 'requests'))::int as pending
      from dm_members d join users u on u.id = d.peer_id
      where (d.unread_count > 0 or d.folder = 'requests') and ${maySeeThread(caller.user_id)}`);
  },
});
