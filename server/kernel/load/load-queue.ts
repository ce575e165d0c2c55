/**
 * The queue of the load gate: requests that wait for room, those of each client first in, first out. People who are signed in and
 * everybody else are served in turns, and in both the networks of the clients, so that a flood of requests from one
 * network, or without a session, holds up only others of the same kind. One may have as much waiting as there are free places.
 */
import type { ServerResponse } from 'node:http';
import type { Limits } from './limits.ts';
import { createRecent, type Recent } from './recent.ts';
import { Turns, type Groups } from './turns.ts';

type QueueBounds = Pick<
  Limits,
  'requests_waiting' | 'request_wait_ms' | 'request_burst_ms' | 'request_overload_ms' | 'request_overload_networks'
>;
type Waiting = { groups: Groups; since_ms: number; response: ServerResponse; serve: () => void; refuse: () => void };

/** The interval of the check for requests that have waited too long, in ms. */
const look_ms = 2;

/**
 * What was refused a moment ago. A network, a part of one or an account is overloaded while a request of it was, and everybody of a
 * kind while those of many networks and of as many clients in them were: then it is not the load of a few.
 */
function createRefusals({ request_overload_ms: length_ms, request_overload_networks: many }: QueueBounds) {
  const groups_refused = createRecent(length_ms);
  const of_kinds = new Map<string, Record<'networks' | 'clients', Recent>>();
  const ofKind = (kind: string) => {
    let of_kind = of_kinds.get(kind);
    if (!of_kind)
      of_kinds.set(kind, (of_kind = { networks: createRecent(length_ms), clients: createRecent(length_ms) }));
    return of_kind;
  };
  return {
    /** @param level of the group that has no room; at most the network as a whole */
    record(groups: Groups, level: number, now_ms: number): void {
      const [kind = '', network = ''] = groups;
      ofKind(kind).networks.record(network, now_ms);
      ofKind(kind).clients.record(groups.at(-1) ?? network, now_ms);
      groups_refused.record(groups[Math.max(1, level)] ?? network, now_ms);
    },
    /** The outermost level at which a client is overloaded; undefined when it is not. */
    findLevel([kind = '', ...groups]: Groups, now_ms: number): number | undefined {
      const { networks, clients } = ofKind(kind);
      if (networks.count(now_ms) >= many && clients.count(now_ms) >= many) return 0;
      const at = groups.findIndex((group) => groups_refused.has(group, now_ms));
      return at < 0 ? undefined : at + 1;
    },
    isAny: () => groups_refused.count(performance.now()) > 0,
  };
}

/**
 * Creates an empty queue of clients, whose groups are the kind of client, its networks and, if it is known, its account.
 * @param hasRoom whether another request may be worked on
 */
export function createLoadQueue(bounds: QueueBounds, hasRoom: () => boolean) {
  const { requests_waiting, request_wait_ms, request_burst_ms } = bounds;
  const waiting = new Turns<Waiting>();
  const refusals = createRefusals(bounds);
  let is_advancing = false;
  let timer: NodeJS.Timeout | undefined;

  function isLate({ since_ms, groups }: Waiting, now_ms: number): boolean {
    // A full queue is not a burst: requests that waited in it would be answered later than new ones.
    const max_ms = refusals.findLevel(groups, now_ms) === undefined ? request_wait_ms : request_burst_ms;
    return now_ms - since_ms >= max_ms;
  }

  function refuseLate({ groups, response, refuse }: Waiting, now_ms: number): void {
    if (response.destroyed) return;
    refusals.record(groups, groups.length - 1, now_ms);
    refuse();
  }

  /** Admits waiting requests while there is room, and refuses those that have waited too long. */
  function advance(): void {
    if (is_advancing || waiting.count === 0) return;
    is_advancing = true;
    const now_ms = performance.now();
    while (waiting.count > 0 && hasRoom()) {
      const next = waiting.take();
      if (next && isLate(next, now_ms)) refuseLate(next, now_ms);
      else if (!next?.response.destroyed) next?.serve();
    }
    is_advancing = false;
  }

  function look(): void {
    const now_ms = performance.now();
    for (const one of waiting.removeOldest((oldest) => isLate(oldest, now_ms))) refuseLate(one, now_ms);
    advance();
    timer = waiting.count > 0 ? setTimeout(look, look_ms) : undefined;
  }

  return {
    length: () => waiting.count,
    isOverloaded: () => refusals.isAny(),
    advance,
    /** @param findClient returns the groups of the request's client; called only if there is no room */
    add(response: ServerResponse, findClient: () => Groups, refuse: () => void, serve: () => void): void {
      if (waiting.count === 0 && hasRoom()) return serve();
      const now_ms = performance.now();
      const groups = findClient();
      const level = refusals.findLevel(groups, now_ms) ?? waiting.shares.fullLevel(groups, requests_waiting);
      if (level !== undefined) {
        refusals.record(groups, level, now_ms);
        return refuse();
      }
      waiting.add({ groups, since_ms: now_ms, response, serve, refuse });
      timer ??= setTimeout(look, look_ms);
    },
  };
}
