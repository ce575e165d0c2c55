import { selectHiddenPeople } from '../../domain/calls/state/call-people.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object, optional } from '../../kernel/schema.ts';
import { CallHistoryItem, presentHistory } from './schemas.ts';
import { selectHistory } from './queries.ts';

export const listCallHistory = endpoint({
  id: 'listCallHistory',
  route: 'GET /call-history',
  summary: 'List your call history',
  query: object({
    ...pageQuery('conf'),
    conference_id: optional({
      ...idOf('conf'),
      description: 'Only this call, even while you are in it.',
    }),
    user_id: optional({ ...idOf('usr'), description: 'Only calls between you and this person.' }),
  }),
  reply: listOf(CallHistoryItem),
  async run({ caller, query, db, services }) {
    const rows = await selectHistory(db, caller.user_id, query);
    const hidden_ids = await selectHiddenPeople(db, caller.user_id, rows);
    return toPage(rows, query, (row) => presentHistory(row, hidden_ids, { id: caller.user_id, services }));
  },
});
