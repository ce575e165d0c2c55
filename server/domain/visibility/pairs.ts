/** Locks on pairs of people: nothing is made between two while a block comes between them. */
import { type Queryable, sql } from '../../kernel/database/database.ts';

/**
 * Makes the relations of one person with others wait for each other until the transaction ends. Whoever makes something between two
 * people, or a block, takes this before looking for a block or for the thing: then never both stand. It must be a
 * statement of its own, because the next one shall see what was committed while it waited. Others are taken in one order,
 * so that two who call each other do not wait in a ring.
 */
export async function lockPairs(db: Queryable, one_id: string, other_ids: string[]): Promise<void> {
  if (other_ids.length === 0) return;
  const pairs = other_ids.toSorted().map((other_id) => pairOf(one_id, other_id));
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(pair, 0)) from unnest(${pairs}::text[]) as pair`);
}

/** Two people as one name, whoever comes first. */
const pairOf = (one_id: string, other_id: string) => [one_id, other_id].sort().join(' ');

/** The same for one other. */
export async function lockPair(db: Queryable, one_id: string, other_id: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${pairOf(one_id, other_id)}, 0))`);
}

/** The same for the two of a thread, in one trip. Whoever is not one of them locks nothing. */
export async function lockThreadPair(db: Queryable, thread_id: string, viewer_id: string): Promise<void> {
  await db.run(sql`
    select pg_advisory_xact_lock(hashtextextended(low_id || ' ' || high_id, 0)) from dm_threads
    where id = ${thread_id} and ${viewer_id} in (low_id, high_id)`);
}
