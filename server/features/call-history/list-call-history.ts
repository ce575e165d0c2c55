import { selectHiddenPeople } from '../../domain/calls/state/call-people.ts';
import { selectCalls } from '../../domain/calls/state/calls.ts';
import { areHostsVisible } from '../../domain/visibility/calls.ts';
import { empty, sql, type Sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, pageQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object, optional } from '../../kernel/schema.ts';
import { CallHistoryItem, presentHistory } from './schemas.ts';

/** Call `c` is one between participant `v` and another person: nobody else was ever called or joined. */
const isOfTwo = (other_id: string): Sql => sql`and c.group_id is null
  and exists (select 1 from call_participants o where o.call_id = c.id and o.user_id = ${other_id} and o.id <> v.id)
  and (select count(*) from call_participants o where o.call_id = c.id) = 2`;

/** Call `c` has ended, or participant `v` is no longer in it. */
const is_over = sql`and (c.state = 'ended' or v.state not in ('ringing', 'joining', 'joined'))`;

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
    const rows = await selectCalls(
      db,
      sql`c.id in (
        select v.call_id from call_participants v join calls c on c.id = v.call_id
        where v.user_id = ${caller.user_id} and not v.suppressed and (v.invited or v.joined_at is not null)
          ${query.conference_id === undefined ? is_over : sql`and c.id = ${query.conference_id}`}
          and ${areHostsVisible(caller.user_id)}
          ${query.user_id === undefined ? empty : isOfTwo(query.user_id)} ${pageOf(query, 'v.call_id')})
        order by c.id desc`,
    );
    const hidden_ids = await selectHiddenPeople(db, caller.user_id, rows);
    // The inner list has the page's limit.
    return toPage(rows, query, (row) => presentHistory(row, caller.user_id, hidden_ids, services));
  },
});
