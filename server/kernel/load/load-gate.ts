/**
 * The load gate: limits how many requests are processed at once, and queues further ones, which absorbs bursts. A network
 * is overloaded once its share of the queue is full, or one of its requests has timed out there; the node is, once several
 * networks are. Requests of whatever is overloaded are not queued but refused at once, so that accepted requests keep their
 * latency under any load.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressOf, networksOf } from './client-address.ts';
import type { Limits } from './limits.ts';
import { createLoadLimit } from './load-limit.ts';
import { createLoadQueue } from './load-queue.ts';
import type { Groups } from './turns.ts';
import { addGauge, type Metrics } from '../observability/metrics.ts';

/** Admits requests while the node is not overloaded. */
export type LoadGate = {
  /** Serves a request at once or from the queue, or refuses it. */
  pass(request: IncomingMessage, response: ServerResponse, serve: () => void, refuse: () => void): void;
  /**
   * Occupies a place for a request that has fully arrived, even above the limit; returns the function that releases it.
   */
  enter(request: IncomingMessage): () => void;
  /** Runs slow work that needs no database, without occupying one of the places that other requests wait for. */
  park<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T>;
};

type Bounds = Pick<
  Limits,
  | 'requests_running'
  | 'requests_working'
  | 'requests_working_min'
  | 'request_turn_ms'
  | 'requests_waiting'
  | 'request_wait_ms'
  | 'request_burst_ms'
  | 'request_overload_ms'
  | 'request_overload_networks'
>;

/**
 * The phases of a request: reading, waiting for its body, being worked on, in slow work outside the limit, answered.
 */
type Place = 'reading' | 'paused' | 'working' | 'parked' | 'left';

/** Who sends requests. */
export type Clients = {
  /** Whether the nearest proxy names the address of each client. */
  trust_proxy: boolean;
  /** The account whose session this node has verified before, without reading anything; undefined without one. */
  recall(request: IncomingMessage): string | undefined;
};
const strangers: Clients = { trust_proxy: false, recall: () => undefined };

/** The groups of a client, by which requests take turns: signed in or not, its networks, its account, of which all networks share the places. */
function groupsOf(request: IncomingMessage, { trust_proxy, recall }: Clients): Groups {
  const account = recall(request);
  const networks = networksOf(addressOf(request, trust_proxy));
  if (account === undefined) return ['stranger', ...networks];
  return ['account', ...networks.map((network) => `account ${network}`), `account ${account}`];
}

/**
 * Creates an empty gate.
 * @param isBehind whether so much waits for the database that requests beyond the minimum are not admitted until less does
 */
export function createLoadGate(
  bounds: Bounds,
  metrics: Metrics,
  clients = strangers,
  isBehind = () => false,
): LoadGate {
  const places = new WeakMap<IncomingMessage, Place>();
  const count: Record<Place, number> = { reading: 0, paused: 0, working: 0, parked: 0, left: 0 };
  const { requests_working: max, requests_working_min: min, request_turn_ms: turn_ms } = bounds;
  const limit = createLoadLimit({ max, min, turn_ms });
  const running = () => count.reading + count.working + count.parked;
  // A place is released in the next turn of the loop: requests answered within one turn (from memory) lengthen it too.
  const left_in_turn = createTurnCount(() => queue.advance());
  const hasRoom = () => {
    const at_work = count.reading + count.working + left_in_turn.current();
    if (at_work >= limit.current() || running() >= bounds.requests_running) return false;
    // A few are admitted in any case: what waits may be jobs and reconnections, which would keep all requests out.
    return at_work < min || !isBehind();
  };
  const queue = createLoadQueue(bounds, hasRoom);
  addGauges(metrics, { running, waiting: queue.length, isOverloaded: queue.isOverloaded, limit: limit.current });

  function move(request: IncomingMessage, to: Place): void {
    const from = places.get(request);
    if (from) count[from] -= 1;
    places.set(request, to);
    count[to] += 1;
    if (to === 'left') left_in_turn.add();
    else if (from && to !== 'working') queue.advance();
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    move(request, 'reading');
    // A slow sender must not occupy a place; most bodies arrive with their headers.
    if (request.method !== 'GET')
      setImmediate(() => {
        if (!request.complete && places.get(request) === 'reading') move(request, 'paused');
      });
    // Answered without having been worked on, or aborted by its client before.
    response.once('close', () => {
      if (places.get(request) === 'reading') move(request, 'left');
    });
  }

  return {
    pass(request, response, serve, refuse) {
      limit.recordRead();
      const findClient = () => groupsOf(request, clients);
      queue.add(response, findClient, refuse, () => {
        begin(request, response);
        serve();
      });
    },
    enter(request) {
      move(request, 'working');
      return () => places.get(request) !== 'left' && move(request, 'left');
    },
    async park(request, work) {
      if (places.get(request) === 'working') move(request, 'parked');
      try {
        return await work();
      } finally {
        if (places.get(request) === 'parked') move(request, 'working');
      }
    },
  };
}

/** Counts within one turn of the event loop. @param atEnd runs after a turn in which something was counted */
function createTurnCount(atEnd: () => void): { current(): number; add(): void } {
  let count = 0;
  return {
    current: () => count,
    add() {
      count += 1;
      if (count > 1) return;
      setImmediate(() => {
        count = 0;
        atEnd();
      });
    },
  };
}

type Readings = { running: () => number; waiting: () => number; isOverloaded: () => boolean; limit: () => number };

function addGauges(metrics: Metrics, { running, waiting, isOverloaded, limit }: Readings): void {
  addGauge(metrics, 'asterism_http_running', 'Requests that are being worked on.', running);
  addGauge(metrics, 'asterism_http_waiting', 'Requests that wait to be worked on.', waiting);
  addGauge(metrics, 'asterism_http_overloaded', 'Whether a request was refused a moment ago.', () =>
    isOverloaded() ? 1 : 0,
  );
  addGauge(metrics, 'asterism_http_limit', 'Requests that may be worked on, as busy as the node is.', limit);
}
