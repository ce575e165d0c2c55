/** The queue of the load gate: requests waiting for room, first in, first out. */
import type { ServerResponse } from 'node:http';
import type { Limits } from './limits.ts';

type QueueBounds = Pick<Limits, 'requests_waiting' | 'request_wait_ms' | 'request_burst_ms' | 'request_overload_ms'>;
type Waiting = { since_ms: number; response: ServerResponse; serve: () => void; refuse: () => void };

/** The interval of the check for requests that have waited too long, in ms. */
const look_ms = 2;

/** Creates an empty queue. @param hasRoom whether another request may be worked on */
export function createLoadQueue(
  { requests_waiting, request_wait_ms, request_burst_ms, request_overload_ms }: QueueBounds,
  hasRoom: () => boolean,
) {
  const queue: Waiting[] = [];
  let refused_at_ms = -Infinity;
  let is_advancing = false;
  let timer: NodeJS.Timeout | undefined;
  const isOverloaded = (now_ms = performance.now()) => now_ms - refused_at_ms < request_overload_ms;

  /** Admits waiting requests while there is room, and refuses those that have waited too long. */
  function advance(): void {
    if (is_advancing || queue.length === 0) return;
    is_advancing = true;
    const now_ms = performance.now();
    // A full queue is not a burst: requests that waited in it would be answered later than new ones.
    const max_ms = isOverloaded(now_ms) ? request_burst_ms : request_wait_ms;
    while (queue[0] && (hasRoom() || now_ms - queue[0].since_ms >= max_ms)) {
      const { since_ms, response, serve, refuse } = queue.shift() as Waiting;
      if (response.destroyed) continue;
      if (hasRoom() && now_ms - since_ms < max_ms) {
        serve();
        continue;
      }
      refused_at_ms = now_ms;
      refuse();
    }
    is_advancing = false;
  }

  function look(): void {
    advance();
    timer = queue.length > 0 ? setTimeout(look, look_ms) : undefined;
  }

  return {
    length: () => queue.length,
    isOverloaded,
    advance,
    add(response: ServerResponse, refuse: () => void, serve: () => void): void {
      if (queue.length === 0 && hasRoom()) return serve();
      const now_ms = performance.now();
      if (isOverloaded(now_ms) || queue.length >= requests_waiting) {
        refused_at_ms = now_ms;
        return refuse();
      }
      queue.push({ since_ms: now_ms, response, serve, refuse });
      timer ??= setTimeout(look, look_ms);
    },
  };
}
