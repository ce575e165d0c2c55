/** Pairs of people: locks that serialise a block with everything else between the two, and who is in a block. */
import { type Queryable, sql } from '../../kernel/database/database.ts';

/**
 * Locks the relations of one person with others until the end of the transaction. Code that creates something between
 * two people, or a block, takes this lock before it checks for the other, so that both never exist together. A separate
 * statement, so that the next one sees what was committed while this one waited for the lock. The locks are taken in
 * order, so that two people who call each other do not deadlock.
 */
export async function lockPairs(db: Queryable, one_id: string, other_ids: string[]): Promise<void> {
  if (other_ids.length === 0) return;
  const pairs = other_ids.toSorted().map((other_id) => pairOf(one_id, other_id));
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(pair, 0)) from unnest(${pairs}::text[]) as pair`);
}

/** The lock name of two people, in either order. */
const pairOf = (one_id: string, other_id: string) => [one_id, other_id].sort().join(' ');

/** Locks the relation of two people until the end of the transaction, like `lockPairs`. */
export async function lockPair(db: Queryable, one_id: string, other_id: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${pairOf(one_id, other_id)}, 0))`);
}

/** People whom a text of somebody concerns: those named in it, the owners of tags named in it, and others. */
type Concerned = { usernames: string[]; tags?: string[]; others?: string[] };

/**
 * Locks the relations of one person with those whom a text of theirs concerns, like `lockPairs`: in one statement, since
 * all are taken in one order, and before anything that a block deletes is read and any row is locked.
 */
export async function lockNamedPairs(db: Queryable, one_id: string, concerned: Concerned): Promise<void> {
  const { usernames, tags = [], others = [] } = concerned;
  if (usernames.length + tags.length === 0) return lockPairs(db, one_id, others);
  await db.run(sql`
    select pg_advisory_xact_lock(hashtextextended(least(other.id, one.id) || ' ' || greatest(other.id, one.id), 0))
    from (select ${one_id}::id as id) one,
      (select u.id from users u where u.username = any(${usernames}::text[])
        union select t.owner_id from tags t where t.name = any(${tags}::text[])
        union select unnest(${others}::id[]) order by 1) other
    where other.id <> one.id`);
}

/** Locks the relation of the two people of a thread, like `lockPairs`; nothing for a viewer who is not one of them. */
export async function lockThreadPair(db: Queryable, thread_id: string, viewer_id: string): Promise<void> {
  await db.run(sql`
    select pg_advisory_xact_lock(hashtextextended(low_id || ' ' || high_id, 0)) from dm_threads
    where id = ${thread_id} and ${viewer_id} in (low_id, high_id)`);
}

/** Those of some people who are in a block with a person. */
export async function selectBlocked(db: Queryable, user_id: string, ids: string[]): Promise<Set<string>> {
  const rows = await db.many<{ other_id: string }>(
    sql`select other_id from blocked_pairs where user_id = ${user_id} and other_id = any(${ids}::text[])`,
  );
  return new Set(rows.map(({ other_id }) => other_id));
}
