/** A fair queue: accounts with many requests wait longer, and none can occupy the whole capacity. */
import { createRecent } from './recent.ts';
import { Turns, type Groups } from './turns.ts';

/** The bounds of a fair queue, in units of work. */
export type FairQueueLimits = {
  /** The maximum running at once, in all and for one account. */
  running: number;
  running_per_account: number;
  /** The maximum waiting. */
  waiting: number;
  /**
   * The places from whose free ones an account has its share while one of its work was refused in the last `refused_ms`: a
   * queue that stays full is no burst, and only makes accepted work late. As many are used in any case; beyond them, only
   * what has its turn within about `wait_ms`, judged by how long work takes. By default it is as `waiting`.
   */
  overload?: { waiting: number; refused_ms: number; wait_ms: number };
};

/** An account, or the networks of an address, the largest first. */
type Client = string | Groups;

const groupsOf = (client: Client): Groups => (typeof client === 'string' ? [client] : client);
const outermostOf = (client: Client): string => groupsOf(client)[0] ?? '';

/** A queue in which accounts take turns. */
export type FairQueue = {
  /**
   * Runs work when its turn comes.
   * @throws what `refuse` throws, immediately, when the account has as much waiting as there are free places
   */
  run<T>(account: Client, work: () => Promise<T>): Promise<T>;
  /** Refuses early what would be refused later, before work is done for it. @throws what `refuse` throws */
  requireRoom(account: Client): void;
};

/**
 * A queue that serves accounts in rotation (round robin). An account may enqueue only while it has less waiting than
 * there are free places, so that a place is always left for accounts with nothing waiting, as long as fewer accounts wait than
 * places exist. The networks of an address share the turn, the places and the running work of the largest.
 */
export function createFairQueue(limits: FairQueueLimits, refuse: () => never): FairQueue {
  const active = new Map<string, number>();
  const refused = createRecent(limits.overload?.refused_ms ?? 0);
  const waiting = new Turns<{ groups: Groups; start: () => void }>();
  let active_count = 0;

  const activeOf = (outermost: string) => active.get(outermost) ?? 0;
  const mayStart = (outermost: string) =>
    active_count < limits.running && activeOf(outermost) < limits.running_per_account;

  const begin = (outermost: string) => {
    active_count += 1;
    active.set(outermost, activeOf(outermost) + 1);
  };
  const end = (outermost: string) => {
    active_count -= 1;
    const left = activeOf(outermost) - 1;
    if (left > 0) active.set(outermost, left);
    else active.delete(outermost);
    waiting.take(mayStart)?.start();
  };

  const average = createAverage();
  const capacityFor = (outermost: string, now_ms: number) => {
    const { overload, running, waiting: max } = limits;
    if (!overload) return max;
    const timely = Math.floor((running * overload.wait_ms) / average.current());
    return Math.min(max, refused.has(outermost, now_ms) ? overload.waiting : Math.max(overload.waiting, timely));
  };

  /** Whether work of a client may start at once. @throws what `refuse` throws when it may not even wait */
  const admit = (client: Client): boolean => {
    const outermost = outermostOf(client);
    if (mayStart(outermost) && !waiting.has(outermost)) return true;
    const now_ms = performance.now();
    if (waiting.shares.fullLevel(groupsOf(client), capacityFor(outermost, now_ms)) === undefined) return false;
    refused.record(outermost, now_ms);
    return refuse();
  };

  return {
    requireRoom: (client) => void admit(client),
    async run(client, work) {
      const outermost = outermostOf(client);
      if (admit(client)) begin(outermost);
      else
        await new Promise<void>((resolve) => {
          const start = () => {
            begin(outermost);
            resolve();
          };
          waiting.add({ groups: groupsOf(client), start });
        });
      const began_ms = performance.now();
      try {
        return await work();
      } finally {
        average.record(performance.now() - began_ms);
        end(outermost);
      }
    },
  };
}

/** A moving average, in which the last value has an eighth of the weight; it is zero before the first. */
function createAverage(): { current(): number; record(value: number): void } {
  let average: number | undefined;
  return {
    current: () => average ?? 0,
    record(value) {
      average = average === undefined ? value : average + (value - average) / 8;
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
