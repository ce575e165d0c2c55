/** A fair queue: accounts with many requests wait longer, and none can occupy the whole capacity. */

export type FairQueueLimits = {
  /** The maximum running at once, in all and for one account. */
  running: number;
  running_per_account: number;
  /** The maximum waiting. */
  waiting: number;
};

export type FairQueue = {
  /**
   * Runs work when its turn comes.
   * @throws what `refuse` throws, immediately, when the account has as much waiting as there are free places
   */
  run<T>(account: string, work: () => Promise<T>): Promise<T>;
  /** Refuses early what would be refused later, before work is done for it. @throws what `refuse` throws */
  requireRoom(account: string): void;
};

/**
 * A queue that serves accounts in rotation (round robin). An account may enqueue only while it has less waiting than
 * there are free places: the dynamic threshold of shared packet buffers (Choudhury and Hahne, 1998). A place is
 * therefore always left for accounts with nothing waiting, as long as fewer accounts wait than places exist.
 */
export function createFairQueue(limits: FairQueueLimits, refuse: () => never): FairQueue {
  const active = new Map<string, number>();
  /** Accounts in the order in which they are served next. */
  const waiting = new Map<string, (() => void)[]>();
  let active_count = 0;
  let waiting_count = 0;

  const activeOf = (account: string) => active.get(account) ?? 0;
  const mayStart = (account: string) => active_count < limits.running && activeOf(account) < limits.running_per_account;

  const begin = (account: string) => {
    active_count += 1;
    active.set(account, activeOf(account) + 1);
  };
  const end = (account: string) => {
    active_count -= 1;
    const left = activeOf(account) - 1;
    if (left > 0) active.set(account, left);
    else active.delete(account);
    startNext();
  };
  const startNext = () => {
    for (const [account, queue] of waiting) {
      if (!mayStart(account)) continue;
      const start = queue.shift();
      waiting_count -= 1;
      // Deleted and set again, so that it moves to the end.
      waiting.delete(account);
      if (queue.length > 0) waiting.set(account, queue);
      begin(account);
      start?.();
      return;
    }
  };

  /** Whether work of an account may start at once. @throws what `refuse` throws when it may not even wait */
  const admit = (account: string): boolean => {
    const length = waiting.get(account)?.length ?? 0;
    if (mayStart(account) && length === 0) return true;
    if (length >= limits.waiting - waiting_count) refuse();
    return false;
  };

  return {
    requireRoom: (account) => void admit(account),
    async run(account, work) {
      if (admit(account)) begin(account);
      else {
        const queue = waiting.get(account) ?? [];
        waiting_count += 1;
        await new Promise<void>((resolve) => {
          queue.push(resolve);
          waiting.set(account, queue);
        });
      }
      try {
        return await work();
      } finally {
        end(account);
      }
    },
  };
}

/**
 * A queue for each engine, pool or other owner of a capacity, created when it is first used.
 * @param create creates the queue of an owner, with the arguments of the first call for it
 */
export function createQueues<Owner extends object, Rest extends unknown[]>(
  create: (owner: Owner, ...rest: Rest) => FairQueue,
): (owner: Owner, ...rest: Rest) => FairQueue {
  const queues = new WeakMap<Owner, FairQueue>();
  return (owner, ...rest) => {
    let queue = queues.get(owner);
    if (!queue) queues.set(owner, (queue = create(owner, ...rest)));
    return queue;
  };
}
