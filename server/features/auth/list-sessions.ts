import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { component, idOf, listOf, moment, object, Type } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { selectSessions } from './queries.ts';

export const Session = component(
  'Session',
  object({
    id: idOf('ses'),
    device: Type.String(),
    ip: Type.String(),
    created_at: moment,
    last_used_at: moment,
    expires_at: moment,
    current: Type.Boolean(),
  }),
);

export const listSessions = endpoint({
  id: 'listSessions',
  route: 'GET /auth/sessions',
  summary: 'List your active sessions',
  gate: 'token',
  query: PageQuery('ses'),
  reply: listOf(Session),
  async run({ caller, db, query, now }) {
    const rows = await selectSessions(db, caller.user_id, query, now);
    return toPage(rows, query, (row) => ({
      id: row.id,
      device: row.device,
      ip: row.ip,
      created_at: wireTime(row.created_at),
      last_used_at: wireTime(row.last_used_at),
      expires_at: wireTime(row.expires_at),
      current: row.id === caller.session_id,
    }));
  },
});
