/** How many rows of a table one transaction changes at most. */
import { onTestFinished } from 'vitest';
import type { World } from '../world/world.ts';

/** What became of the rows of a table: how many were changed, and how many at once. */
export type Portions = { total: number; at_once: number };

/**
 * Counts the rows that each transaction deletes from a table or updates in it, until the end of the test.
 * @returns a function that returns what was counted until then
 */
export async function countPortions(
  world: World,
  table: string,
  work: 'delete' | 'update',
): Promise<() => Promise<Portions>> {
  const db = world.app.services.db.native;
  const log = `portions_of_${table}`;
  await db.query(`
    create table ${log} (xid xid8, count int);
    create function count_${log}() returns trigger language plpgsql as
      $$ begin insert into ${log} select pg_current_xact_id(), count(*) from gone; return null; end $$;
    create trigger ${log} after ${work} on ${table} referencing old table as gone execute function count_${log}();`);
  onTestFinished(async () => void (await db.query(`drop function count_${log} cascade; drop table ${log}`)));
  return async () => {
    const { rows } = await db.query<Portions>(`
      select coalesce(sum(count), 0)::int as total, coalesce(max(count), 0)::int as at_once
      from (select sum(count) as count from ${log} group by xid) transactions`);
    return rows[0] as Portions;
  };
}
