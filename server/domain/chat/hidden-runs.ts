/**
 * Messages in a row of a group's chat that a block hides from a member. They are skipped at once: somebody who is blocked
 * could write any number of them, which the member's requests would read one by one. A run never contains a message that is
 * not hidden; a hidden message may be in none.
 */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import type { Span } from '../../kernel/page.ts';
import { near_hidden } from './chat-pages.ts';

/**
 * Adds a message to the runs of those from whom it is hidden. The caller has locked the group's row, and inserts the
 * message afterwards.
 */
export async function extendHiddenRuns(
  db: Queryable,
  group_id: string,
  message_id: string,
  hidden_from: string[],
): Promise<void> {
  const neighbour = (which: Sql) =>
    sql`(select m.id from chat_messages m where m.group_id = ${group_id} ${which} limit 1)`;
  const newest = neighbour(sql`order by m.id desc`);
  // Usually the message is the newest: a run of each reader from whom it is hidden is extended by it, or begins with it.
  // Identifiers may be made in another order than the lock is taken. Then a message that is not hidden splits the run around
  // it in two (`split`: the first part ends before it, the second begins after it), and a hidden one is in no run.
  await Promise.all([
    db.run(sql`
      with split as (
        update chat_hidden_runs r set last_id = ${neighbour(sql`and m.id < ${message_id} order by m.id desc`)}
        from chat_hidden_runs before
        where r.group_id = ${group_id} and r.first_id < ${message_id} and r.last_id > ${message_id}
          and not r.user_id = any(${hidden_from}::text[])
          and (before.group_id, before.user_id, before.first_id) = (r.group_id, r.user_id, r.first_id)
        returning r.user_id, before.last_id)
      insert into chat_hidden_runs (group_id, user_id, first_id, last_id)
      select ${group_id}, user_id, ${neighbour(sql`and m.id > ${message_id} order by m.id`)}, last_id from split`),
    hidden_from.length > 0 &&
      db.run(sql`
        with extended as (
          update chat_hidden_runs r set last_id = ${message_id}
          where r.group_id = ${group_id} and r.user_id = any(${hidden_from}::text[])
            and r.last_id = ${newest} and r.last_id < ${message_id} returning r.user_id)
        insert into chat_hidden_runs (group_id, user_id, first_id, last_id)
        select ${group_id}, reader, ${message_id}, ${message_id} from unnest(${hidden_from}::text[]) reader
        where coalesce(${newest}, '') < ${message_id} and reader not in (select user_id from extended)`),
  ]);
}

/** Sorts after all identifiers of messages. */
const after_all = 'chat_~';

/** A member, in the chat of a group. */
type Reader = { group_id: string; user_id: string };

/** A member's runs `h` ahead of where a page begins. */
const runsAhead = ({ group_id, user_id }: Reader, { below, up_to, above, is_oldest_first }: Span): Sql => sql`
  h.group_id = ${group_id} and h.user_id = ${user_id}
  and ${is_oldest_first ? sql`h.last_id > ${above ?? ''}` : sql`h.first_id <= ${below ?? up_to ?? after_all}`}`;

/**
 * The identifiers of a page of messages `m`, as a subquery: from the gaps between a member's runs. Each contains a message
 * that no block hides, so that a page needs no more gaps than messages. There are none if a gap has too many messages that
 * are hidden otherwise; fewer than a page may also mean that there are more runs.
 */
export function idsBetweenRuns(reader: Reader, which: Sql, span: Span): Sql {
  const { below, up_to, above, is_oldest_first, limit, offset } = span;
  const max = limit + offset;
  const order = is_oldest_first ? sql`` : sql`desc`;
  const within = sql`${below === undefined ? sql`` : sql`and m.id < ${below}`}
    ${up_to === undefined ? sql`` : sql`and m.id <= ${up_to}`} ${above === undefined ? sql`` : sql`and m.id > ${above}`}`;
  const gaps = is_oldest_first
    ? sql`select lag(last_id, 1, '') over (order by first_id) as lower, first_id as upper from runs
        union all select coalesce((select max(last_id) from runs), ''), ${after_all}`
    : sql`select last_id as lower, lag(first_id, 1, ${after_all}) over (order by first_id desc) as upper from runs
        union all select '', coalesce((select min(first_id) from runs), ${after_all})`;
  const written = (what: Sql) => sql`
    select ${what} from chat_messages m where m.group_id = ${reader.group_id} and m.id > g.lower and m.id < g.upper ${within}
    order by m.id ${order} limit ${max + near_hidden}`;
  return sql`
    with runs as materialized (
      select h.first_id::text, h.last_id::text from chat_hidden_runs h where ${runsAhead(reader, span)}
      order by h.first_id ${order} limit ${max + 1}),
    gaps as (${gaps}),
    read as materialized (
      select g.*, array(select m.id from (${written(sql`m.*`)}) m where ${which} order by m.id ${order} limit ${max})::text[] as ids
      from gaps g
      -- The last gap contains more runs if there are more than were read.
      where ${is_oldest_first ? sql`g.upper <> ${after_all}` : sql`g.lower <> ''`} or (select count(*) from runs) <= ${max})
    select m.id from read cross join lateral unnest(read.ids) m (id)
    where not exists (
      select from read g where cardinality(g.ids) < ${max} and (select count(*) from (${written(sql`1`)}) n) = ${max + near_hidden})
    order by m.id ${order} limit ${limit} offset ${offset}`;
}
