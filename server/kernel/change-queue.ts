/**
 * Limits how many changes of one account run at once. A change holds a connection to the database also while it waits
 * for a lock, mostly on a row of its own account. Without the limit, one account's slow change and the others that wait
 * for it could hold all connections.
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
 * Runs a change of an account, after the earlier ones in its queue.
 * @param park takes the request out of the running ones while it waits
 * @throws ApiError `unavailable` when too many changes of the account wait
 */
export async function queueChange<T>(
  { db, limits }: Pick<Services, 'db' | 'limits'>,
  account: string,
  work: () => Promise<T>,
  park: (wait: () => Promise<unknown>) => Promise<unknown>,
): Promise<T> {
  const started = Promise.withResolvers<void>();
  let has_begun = false;
  const done = queueOf(db, limits).run(account, () => {
    has_begun = true;
    started.resolve();
    return work();
  });
  if (!has_begun) await park(() => Promise.race([started.promise, done]));
  return done;
}
