import { Call, callViewOf, presentCall, selectCalls } from '../../domain/calls/state/calls.ts';
import { mayOpenCall } from '../../domain/visibility/calls.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';

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
    const rows = await selectCalls(
      db,
      sql`${mayOpenCall(caller.user_id)} and c.state <> 'ended' and c.id in (
        select v.call_id from call_participants v
        where v.user_id = ${caller.user_id} and v.state = 'ringing' and not v.suppressed and not v.not_alerted) ${pageOf(query, 'c.id')}`,
    );
    return toPage(rows, query, (row) => presentCall(row, callViewOf(services), caller.user_id));
  },
});
