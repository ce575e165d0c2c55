/**
 * Turns: how many changes of one account run at once. A change holds a connection to the database also while it waits
 * for a lock, mostly on a row of its own account; without turns, one account's slow change and the others that wait for
 * it would hold all connections, and everybody would wait with them.
 */
import { fail } from './errors.ts';
import type { Services } from './services.ts';
import { createFairQueue, createQueues } from './load/fair-queue.ts';

/** The changes that run and wait, by pool of connections. */
const queueOf = createQueues((_db: Services['db'], limits: Services['limits']) => {
  const bounds = {
    running: limits.requests_running,
    running_per_account: limits.changes_per_account,
    waiting: limits.changes_waiting,
  };
  return createFairQueue(bounds, () => fail('unavailable', { cause: 'too many changes', retry_after_s: 1 }));
});

/**
 * Runs a change of an account when its turn comes.
 * @param aside holds no place among the running requests meanwhile
 * @throws ApiError `unavailable` when too many changes of the account wait
 */
export async function inTurn<T>(
  { db, limits }: Pick<Services, 'db' | 'limits'>,
  account: string,
  work: () => Promise<T>,
  aside: (wait: () => Promise<unknown>) => Promise<unknown>,
): Promise<T> {
  const turn = Promise.withResolvers<void>();
  let has_begun = false;
  const done = queueOf(db, limits).run(account, () => {
    has_begun = true;
    turn.resolve();
    return work();
  });
  if (!has_begun) await aside(() => Promise.race([turn.promise, done]));
  return done;
}
