import { presentUser } from '../../domain/accounts/accounts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { Presence } from './events.ts';
import { selectPresent } from './queries.ts';

export const listPresence = endpoint({
  id: 'listPresence',
  route: 'GET /presence',
  summary: 'List who is online',
  description: 'The presence of people you follow who follow you back.',
  extension: true,
  query: object(offsetQuery),
  reply: listOf(Presence),
  async run({ caller, query, db, services }) {
    return toPage(await selectPresent(db, caller.user_id, query), query, ({ user, since }) => ({
      user: presentUser(user, { services }),
      online: true,
      changed_at: wireTime(since),
    }));
  },
});
