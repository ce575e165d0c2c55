import { type CallRow, selectCalls } from '../../domain/calls/state/calls.ts';
import { areHostsVisible, mayOpenTranscript } from '../../domain/visibility/calls.ts';
import { empty, type Queryable, sql, type Sql } from '../../kernel/database/database.ts';
import { fail } from '../../kernel/errors.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/** Call `c` is one between participant `v` and another person: nobody else was ever called or joined. */
const isOfTwo = (other_id: string): Sql => sql`and c.group_id is null
  and exists (select 1 from call_participants o where o.call_id = c.id and o.user_id = ${other_id} and o.id <> v.id)
  and (select count(*) from call_participants o where o.call_id = c.id) = 2`;

/** Call `c` has ended, or participant `v` is no longer in it. */
const is_over = sql`and (c.state = 'ended' or v.state not in ('ringing', 'joining', 'joined'))`;

/** The past calls of a person, newest first; the page's limit is that of the inner list. */
export function selectHistory(
  db: Queryable,
  viewer_id: string,
  { conference_id, user_id, ...page }: Page & { conference_id?: string; user_id?: string },
): Promise<CallRow[]> {
  return selectCalls(
    db,
    sql`c.id in (
      select v.call_id from call_participants v join calls c on c.id = v.call_id
      where v.user_id = ${viewer_id} and not v.suppressed and (v.invited or v.joined_at is not null)
        ${conference_id === undefined ? is_over : sql`and c.id = ${conference_id}`}
        and ${areHostsVisible(viewer_id)}
        ${user_id === undefined ? empty : isOfTwo(user_id)} ${pageOf(page, 'v.call_id')})
      order by c.id desc`,
  );
}

/** @throws ApiError `not_found` unless a person was in a call, and may still read its chat */
export async function requireTranscript(db: Queryable, call_id: string, viewer_id: string): Promise<void> {
  const seen = await db.maybe(sql`
    select 1 from call_participants p join calls c on c.id = p.call_id
    where p.call_id = ${call_id} and p.user_id = ${viewer_id} and ${mayOpenTranscript(viewer_id)}`);
  if (!seen) fail('not_found');
}
