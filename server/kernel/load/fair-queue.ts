/** A queue that accounts share fairly: whoever asks for much waits longer, and nobody takes all the room there is. */

export type FairQueueLimits = {
  /** How much runs at once, in all and for one account. */
  running: number;
  running_per_account: number;
  /** How much may wait. */
  waiting: number;
};

export type FairQueue = {
  /**
   * Runs work when its turn comes.
   * @throws what `refuse` throws, at once, when the account has as much waiting as there is room left for all
   */
  run<T>(account: string, work: () => Promise<T>): Promise<T>;
};

/**
 * Makes a queue that serves accounts in rotation (round robin). An account may add to what waits only while it has less
 * waiting than there are places free: the dynamic threshold of shared packet buffers (Choudhury and Hahne, 1998). A
 * place is therefore always left for accounts that have nothing waiting yet, as long as fewer accounts wait than places.
 */
export function createFairQueue(limits: FairQueueLimits, refuse: () => never): FairQueue {
  const active = new Map<string, number>();
  /** In the order in which accounts are served next. */
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
      // Deleted and set again, it stands last.
      waiting.delete(account);
      if (queue.length > 0) waiting.set(account, queue);
      begin(account);
      start?.();
      return;
    }
  };

  return {
    async run(account, work) {
      const queue = waiting.get(account) ?? [];
      if (mayStart(account) && queue.length === 0) begin(account);
      else {
        if (queue.length >= limits.waiting - waiting_count) refuse();
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
