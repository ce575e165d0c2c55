/**
 * Turns: how many changes of one account run at once. A change holds a connection to the database also while it waits
 * for a lock, mostly on a row of its own account; without turns, one account's slow change and the others that wait for
 * it would hold all connections, and everybody would wait with them.
 */
import { fail } from '../errors.ts';
import type { Services } from '../services.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

const queues = new WeakMap<Services['db'], FairQueue>();

function queueOf({ db, limits }: Pick<Services, 'db' | 'limits'>): FairQueue {
  let queue = queues.get(db);
  if (!queue) {
    const bounds = {
      running: limits.requests_running,
      running_per_account: limits.changes_per_account,
      waiting: limits.changes_waiting,
    };
    queue = createFairQueue(bounds, () => fail('unavailable', { cause: 'too many changes', retry_after_s: 1 }));
    queues.set(db, queue);
  }
  return queue;
}

/**
 * Runs a change of an account when its turn comes.
 * @param aside holds no place among the running requests meanwhile
 * @throws ApiError `unavailable` when too many changes of the account wait
 */
export async function inTurn<T>(
  services: Pick<Services, 'db' | 'limits'>,
  account: string,
  work: () => Promise<T>,
  aside: (wait: () => Promise<unknown>) => Promise<unknown>,
): Promise<T> {
  const turn = Promise.withResolvers<void>();
  let has_begun = false;
  const done = queueOf(services).run(account, () => {
    has_begun = true;
    turn.resolve();
    return work();
  });
  if (!has_begun) await aside(() => Promise.race([turn.promise, done]));
  return done;
}
