import { Call, presentCall } from '../../domain/calls/state/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { selectRinging } from './queries.ts';

export const listRingingCalls = endpoint({
  id: 'listRingingCalls',
  route: 'GET /calls/ringing',
  summary: 'List the calls that ring you',
  description:
    'For devices that were not connected when the ring started; later rings arrive as `call.ringing` events.',
  extension: true,
  query: PageQuery('conf'),
  reply: listOf(Call),
  async run({ caller, query, db, services }) {
    const rows = await selectRinging(db, caller.user_id, query);
    return toPage(rows, query, (row) => presentCall(row, { id: caller.user_id, services }));
  },
});
