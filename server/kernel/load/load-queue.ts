/**
 * The queue of the load gate: requests that wait for room, those of each network first in, first out. Networks are served
 * in rotation (round robin), and one may have as much waiting as there are free places, so that a flood of requests from
 * one holds up only those of that network.
 */
import type { ServerResponse } from 'node:http';
import type { Limits } from './limits.ts';

type QueueBounds = Pick<
  Limits,
  'requests_waiting' | 'request_wait_ms' | 'request_burst_ms' | 'request_overload_ms' | 'request_overload_networks'
>;
type Waiting = { since_ms: number; response: ServerResponse; serve: () => void; refuse: () => void };

/** The interval of the check for requests that have waited too long, in ms. */
const look_ms = 2;

/**
 * The networks of which a request was refused a moment ago. A network is overloaded while it is one of them, and all are
 * while there are many: then it is not the load of a few.
 */
function createRefusals({ request_overload_ms: length_ms, request_overload_networks: many }: QueueBounds) {
  /** When, the oldest first. */
  const refused_at_ms = new Map<string, number>();
  const forgetOld = (now_ms: number) => {
    for (const [network, at_ms] of refused_at_ms) {
      if (now_ms - at_ms < length_ms) return;
      refused_at_ms.delete(network);
    }
  };
  return {
    record(network: string, now_ms: number): void {
      forgetOld(now_ms);
      refused_at_ms.delete(network);
      refused_at_ms.set(network, now_ms);
    },
    isOverloaded(network: string, now_ms: number): boolean {
      forgetOld(now_ms);
      return refused_at_ms.has(network) || refused_at_ms.size >= many;
    },
    isAny(): boolean {
      forgetOld(performance.now());
      return refused_at_ms.size > 0;
    },
  };
}

/** The waiting requests of each network, in the order in which the networks are served next. */
class Rotation {
  count = 0;
  private readonly queues = new Map<string, Waiting[]>();

  of(network: string): readonly Waiting[] {
    return this.queues.get(network) ?? [];
  }

  networks(): string[] {
    return [...this.queues.keys()];
  }

  add(network: string, one: Waiting): void {
    this.count += 1;
    const queue = this.queues.get(network);
    if (queue) queue.push(one);
    else this.queues.set(network, [one]);
  }

  /** Removes the oldest request of a network, by default of the next one, whose others are served after those of others. */
  take(network = this.queues.keys().next().value): Waiting | undefined {
    const queue = network === undefined ? undefined : this.queues.get(network);
    if (network === undefined || !queue) return undefined;
    this.count -= 1;
    this.queues.delete(network);
    if (queue.length > 1) this.queues.set(network, queue);
    return queue.shift();
  }
}

/** Creates an empty queue. @param hasRoom whether another request may be worked on */
export function createLoadQueue(bounds: QueueBounds, hasRoom: () => boolean) {
  const { requests_waiting, request_wait_ms, request_burst_ms } = bounds;
  const waiting = new Rotation();
  const refusals = createRefusals(bounds);
  let is_advancing = false;
  let timer: NodeJS.Timeout | undefined;

  function refuseLate(now_ms: number): void {
    for (const network of waiting.networks()) {
      // A full queue is not a burst: requests that waited in it would be answered later than new ones.
      const max_ms = refusals.isOverloaded(network, now_ms) ? request_burst_ms : request_wait_ms;
      const isLate = (one: Waiting | undefined) => one && now_ms - one.since_ms >= max_ms;
      while (isLate(waiting.of(network)[0])) {
        const late = waiting.take(network);
        if (!late || late.response.destroyed) continue;
        refusals.record(network, now_ms);
        late.refuse();
      }
    }
  }

  /** Admits waiting requests while there is room, and refuses those that have waited too long. */
  function advance(): void {
    if (is_advancing || waiting.count === 0) return;
    is_advancing = true;
    refuseLate(performance.now());
    while (waiting.count > 0 && hasRoom()) {
      const next = waiting.take();
      if (!next?.response.destroyed) next?.serve();
    }
    is_advancing = false;
  }

  function look(): void {
    advance();
    timer = waiting.count > 0 ? setTimeout(look, look_ms) : undefined;
  }

  return {
    length: () => waiting.count,
    isOverloaded: () => refusals.isAny(),
    advance,
    /** @param findNetwork returns the network of the request's client; called only if there is no room */
    add(response: ServerResponse, findNetwork: () => string, refuse: () => void, serve: () => void): void {
      if (waiting.count === 0 && hasRoom()) return serve();
      const now_ms = performance.now();
      const network = findNetwork();
      if (refusals.isOverloaded(network, now_ms) || waiting.of(network).length >= requests_waiting - waiting.count) {
        refusals.record(network, now_ms);
        return refuse();
      }
      waiting.add(network, { since_ms: now_ms, response, serve, refuse });
      timer ??= setTimeout(look, look_ms);
    },
  };
}
