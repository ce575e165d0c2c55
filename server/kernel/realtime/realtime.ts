/**
 * Realtime: the outbox reader of each node, and the connections that it feeds.
 *
 * A receiver's stream follows the order of the outbox, so that resuming needs one cursor only. While a receiver catches
 * up, new events are held back and sent afterwards: nothing is lost in between and nothing is sent twice.
 */
import type { Pool } from '../database/database.ts';
import type { Limits } from '../load/limits.ts';
import { createConnections, isDrained, type Connections } from './connections.ts';
import type { Log } from '../observability/log.ts';
import type { Connection, Frame, JoinedConnection, Subscription, SubscriptionChange } from './receivers.ts';
import {
  compareCursors,
  isComplete,
  parseId,
  selectHead,
  selectMissed,
  type OutboxCursor,
  type StoredEvent,
} from './outbox.ts';
import { createReader } from './outbox-reader.ts';
import { replay_barred, subscription_changed, withoutBarred, type ReplayFilter } from './replay.ts';
import { ReplayBudget } from './replay-budget.ts';
import { ApiError, fail } from '../errors.ts';
import { wireTime } from '../time.ts';

/** The first message of a stream: nothing was missed, or what is cached must be read again. */
export type Welcome = { type: 'ready' | 'reset'; last_event_id: string };

/** The realtime stream of this node. */
export type Realtime = {
  /** Reads the outbox now rather than at the next interval. */
  wake(): void;
  /** The id of the newest event, from which a new client starts. */
  headId(): string;
  /** Whether the outbox was read within the last second: then no revocation was missed for longer. */
  isFresh(): boolean;
  /**
   * Adds a connection. Resolves once `welcome` is sent, to a function that removes it; missed events follow as fast as
   * they are read.
   * @throws ApiError `rate_limited` when the account has too many on this node, `token_invalid` when its session has ended
   */
  join(
    connection: Connection,
    last_event_id: string | undefined,
    welcome: (welcome: Welcome) => void,
  ): Promise<() => void>;
  /** Sends connected users of this node a message that is not stored, and therefore never replayed. */
  deliver(broadcast: Broadcast): void;
  /**
   * Calls back for every event of every topic as soon as it is committed, possibly twice and out of order: for caches.
   */
  onCommitted(listener: (event: StoredEvent) => void): void;
  connections(): number;
  closeConnections(): void;
  close(): Promise<void>;
};

/** A transient message for connected users; `at` is in wire format. */
export type Broadcast = { user_ids: string[]; type: string; at: string; data: unknown };

const fresh_ms = 1000;

/** The subscriptions of a user besides their own topics, from the database. */
export type SelectSubscriptions = (user_id: string) => Promise<Subscription[]>;

/** Starts reading at the current end of the outbox. */
export async function startRealtime(
  db: Pool,
  log: Log,
  limits: Limits,
  selectSubscriptions: SelectSubscriptions,
  filterReplay: ReplayFilter,
): Promise<Realtime> {
  const { epoch, ...head } = await selectHead(db);
  const connections = createConnections(limits);
  const listeners: ((event: StoredEvent) => void)[] = [];
  const idOf = (cursor: OutboxCursor) => `${epoch}.${cursor.xid}.${cursor.position}`;
  const send = (event: StoredEvent) => {
    if (connections.has(event.topic)) connections.send(event.topic, frameOf(idOf(event), event));
    if (event.type === 'session.revoked') connections.close(event.topic, 'revoked');
  };
  const reader = createReader(db, log, head, {
    committed: (event) => {
      for (const listener of listeners) listener(event);
    },
    unsettled: (event) => {
      // The end of a session is delivered out of order: earlier events no longer concern that session.
      if (event.type === 'session.revoked') send(event);
    },
    settled: (event) => {
      if (event.type === subscription_changed)
        connections.change(event.topic, JSON.parse(event.data) as SubscriptionChange);
      else if (event.type !== replay_barred) send(event);
    },
  });
  const replays = new ReplayBudget(limits);
  const hub = {
    db,
    connections,
    epoch,
    cursor: reader.cursor,
    idOf,
    limits,
    selectSubscriptions,
    filterReplay,
    replays,
  };
  reader.wake();
  return {
    wake: reader.wake,
    headId: () => idOf(reader.cursor()),
    isFresh: () => performance.now() - reader.readAtMs() < fresh_ms,
    join: (connection, last_event_id, welcome) => joinConnection(hub, connection, last_event_id, welcome),
    deliver({ user_ids, type, at, data }) {
      const topics = user_ids.map((one) => `user:${one}`).filter(connections.has);
      // Receivers have been sent everything up to this cursor, so that resuming from it misses nothing.
      const id = idOf(reader.cursor());
      const frame = { id, text: JSON.stringify({ id, type, at, data }), shared: new Map<string, Buffer>() };
      for (const topic of topics) connections.send(topic, frame);
    },
    onCommitted: (listener) => listeners.push(listener),
    connections: connections.count,
    closeConnections: connections.closeAll,
    async close() {
      connections.closeAll();
      await reader.close();
    },
  };
}

/** What connections need of their node. */
type Hub = {
  db: Pool;
  connections: Connections;
  epoch: string;
  cursor(): OutboxCursor;
  idOf(cursor: OutboxCursor): string;
  limits: Limits;
  selectSubscriptions: SelectSubscriptions;
  filterReplay: ReplayFilter;
  replays: ReplayBudget;
};

/**
 * The connection is registered first, so that no change of its subscriptions is missed while they are read. Once they
 * are known, new events are held back, and the missed events before that cursor are read and sent first.
 */
async function joinConnection(
  hub: Hub,
  connection: Connection,
  last_event_id: string | undefined,
  welcome: (welcome: Welcome) => void,
): Promise<() => void> {
  const { connections } = hub;
  if (connections.isFull(connection.user_id))
    throw new ApiError('rate_limited', { message: 'Too many streams are open for this account.', retry_after_s: 30 });
  const joined = connections.add(connection);
  try {
    const [is_valid] = await Promise.all([
      connection.isValid(),
      connections.load(joined, () => hub.selectSubscriptions(connection.user_id)),
    ]);
    if (!is_valid) fail('token_invalid');
    const topics = connections.hold(joined);
    const to = hub.cursor();
    const replay =
      last_event_id === undefined ? [] : await selectReplay(hub, connection.user_id, topics, last_event_id, to);
    welcome({ type: replay ? 'ready' : 'reset', last_event_id: hub.idOf(to) });
    void catchUp(hub, joined, replay ?? []);
  } catch (error) {
    connections.remove(joined);
    throw error;
  }
  return () => connections.remove(joined);
}

/**
 * Sends what was missed and then what was held back, no faster than the receiver reads: one whose missed events exceed
 * its backlog limit must not be disconnected again and again. All at once while nothing is queued.
 */
async function catchUp(
  { connections, idOf, limits }: Hub,
  joined: JoinedConnection,
  missed: StoredEvent[],
): Promise<void> {
  const { connection } = joined;
  /** Whether the receiver takes more. A promise only where it has to read first, since awaiting one takes a turn. */
  const isTaking = (): boolean | Promise<boolean> => {
    if (connection.channel.destroyed) return false;
    return !connection.channel.writableNeedDrain || isDrained(connection.channel, limits.realtime_stall_ms);
  };
  let frames: Iterable<Frame> = missed.values().map((event) => frameOf(idOf(event), event));
  while (joined.held) {
    for (const frame of frames) {
      const is_taking = isTaking();
      if (is_taking !== true && !(await is_taking)) {
        connections.remove(joined);
        connection.close('slow');
        return;
      }
      connection.send(frame);
    }
    frames = joined.held;
    joined.held = joined.held.length > 0 ? [] : undefined;
  }
}

/** What a receiver missed; undefined when that is incomplete, so that it must fetch everything again. */
async function selectReplay(
  { db, epoch, limits, filterReplay, replays }: Hub,
  user_id: string,
  topics: string[],
  last_event_id: string,
  to: OutboxCursor,
): Promise<StoredEvent[] | undefined> {
  const from = parseId(last_event_id, epoch);
  if (!from || compareCursors(from, to) > 0 || !(await isComplete(db, from))) return undefined;
  if (!replays.has(user_id, performance.now())) return undefined;
  const events = await selectMissed(db, topics, from, to, limits.realtime_replay + 1);
  replays.take(user_id, events.length, performance.now());
  if (events.length > limits.realtime_replay) return undefined;
  return filterReplay(user_id, withoutBarred(events));
}

function frameOf(id: string, event: StoredEvent): Frame {
  const at = wireTime(event.at);
  return { id, text: `{"id":"${id}","type":"${event.type}","at":"${at}","data":${event.data}}`, shared: new Map() };
}
