import { selectCalls } from '../../domain/calls/calls.ts';
import { isThereFor } from '../../domain/visibility/people.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { selectBlockedPairs } from './queries.ts';
import { CallHistoryItem, presentHistory } from './schemas.ts';

export const listCallHistory = endpoint({
  id: 'listCallHistory',
  route: 'GET /call-history',
  summary: 'List your call history',
  query: PageQuery('conf'),
  reply: listOf(CallHistoryItem),
  async run({ caller, query, db, services }) {
    const rows = await selectCalls(
      db,
      sql`c.id in (
        select v.call_id from call_participants v join calls c on c.id = v.call_id
        where v.user_id = ${caller.user_id} and not v.silent and (v.invited or v.joined_at is not null)
          and (c.state = 'ended' or v.state not in ('ringing', 'joining', 'joined'))
          and ${isThereFor(caller.user_id, 'c.started_by')} and ${isThereFor(caller.user_id, 'c.host_id')}
          ${pageOf(query, 'v.call_id')})
        order by c.id desc`,
    );
    const apart = await selectBlockedPairs(db, caller.user_id, rows);
    // The page was cut by the inner list.
    return toPage(rows, query, (row) => presentHistory(row, caller.user_id, apart, services));
  },
});
