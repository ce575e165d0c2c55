/** Connections: the realtime receivers connected to this node, by their topics. */
import type { Writable } from 'node:stream';
import { isId } from '../id.ts';
import type { Limits } from '../load/limits.ts';

/** A transport to one receiver: a websocket or a server-sent event stream. */
export type Connection = {
  user_id: string;
  session_id: string;
  /** The stream that frames are written to, to see its backlog. */
  channel: Writable;
  /**
   * Whether its session has not ended. It is asked once the connection is registered, since the end of a session closes
   * only registered ones: one that ended between its check and the registration would stay connected for ever.
   */
  isValid(): Promise<boolean>;
  /** Sends one event. `frame` is encoded once for all connections of a kind. */
  send(event: Frame): void;
  close(reason: 'revoked' | 'draining' | 'slow'): void;
};

/** An event as it is sent; `shared` caches its encoding for each kind of connection. */
export type Frame = { id: string; text: string; shared: Map<string, Buffer> };

/** Topics that a user receives for one reason; the key identifies the reason, so that it can end. */
export type Subscription = { key: string; topics: string[] };

/** Additions to and removals from a user's subscriptions. */
export type SubscriptionChange = { add: Subscription[]; remove: string[] };

/** A registered connection. While it catches up, new events are held back, and sent afterwards. */
export type JoinedConnection = {
  connection: Connection;
  /** Its topics, by the key of each subscription. */
  reasons: Map<string, Set<string>>;
  subscriptions: Map<string, string[]>;
  /** Changes that arrived before the subscriptions were known. */
  early: SubscriptionChange[] | undefined;
  held: Frame[] | undefined;
};

export type Connections = {
  /** Adds a connection, subscribed to its user and session. */
  add(connection: Connection): JoinedConnection;
  /** Adds its other subscriptions, applies the changes that arrived since, and drops the held ones. */
  open(joined: JoinedConnection, subscriptions: Subscription[]): void;
  /** Changes the subscriptions of all connections of a topic. */
  change(topic: string, change: SubscriptionChange): void;
  remove(joined: JoinedConnection): void;
  /** Whether any connection receives a topic, so that no frame is encoded without a receiver. */
  has(topic: string): boolean;
  send(topic: string, frame: Frame): void;
  /** Closes the connections of a topic. */
  close(topic: string, reason: 'revoked' | 'draining'): void;
  closeAll(): void;
  count(): number;
  /** Whether a user, or a guest, has reached the limit of connections. */
  isFull(user_id: string): boolean;
};

/** The subscription key of a connection's own user and session. */
const own = '';

type ByTopic = Map<string, Set<JoinedConnection>>;

function subscribe(by_topic: ByTopic, joined: JoinedConnection, { key, topics }: Subscription): void {
  if (joined.subscriptions.has(key)) return;
  joined.subscriptions.set(key, topics);
  for (const topic of topics) {
    joined.reasons.set(topic, (joined.reasons.get(topic) ?? new Set()).add(key));
    by_topic.set(topic, (by_topic.get(topic) ?? new Set()).add(joined));
  }
}

function unsubscribe(by_topic: ByTopic, joined: JoinedConnection, key: string): void {
  for (const topic of joined.subscriptions.get(key) ?? []) {
    const reasons = joined.reasons.get(topic);
    reasons?.delete(key);
    if (reasons?.size) continue;
    joined.reasons.delete(topic);
    leaveTopic(by_topic, joined, topic);
  }
  joined.subscriptions.delete(key);
}

function leaveTopic(by_topic: ByTopic, joined: JoinedConnection, topic: string): void {
  const receivers = by_topic.get(topic);
  receivers?.delete(joined);
  if (receivers?.size === 0) by_topic.delete(topic);
}

function apply(by_topic: ByTopic, joined: JoinedConnection, { add, remove }: SubscriptionChange): void {
  for (const key of remove) unsubscribe(by_topic, joined, key);
  for (const subscription of add) subscribe(by_topic, joined, subscription);
}

/** Creates an empty table. A connection is closed when more frames are held back for it than can be replayed. */
export function createConnections(
  limits: Pick<Limits, 'realtime_replay' | 'realtime_connections_per_account' | 'realtime_connections_per_guest'>,
): Connections {
  const max_held = limits.realtime_replay;
  const by_topic: ByTopic = new Map();
  const all = new Set<JoinedConnection>();
  const remove = (joined: JoinedConnection) => {
    all.delete(joined);
    for (const topic of joined.reasons.keys()) leaveTopic(by_topic, joined, topic);
  };
  return {
    add(connection) {
      const joined: JoinedConnection = {
        connection,
        reasons: new Map(),
        subscriptions: new Map(),
        early: [],
        held: [],
      };
      all.add(joined);
      subscribe(by_topic, joined, {
        key: own,
        topics: [`user:${connection.user_id}`, `session:${connection.session_id}`],
      });
      return joined;
    },
    open(joined, subscriptions) {
      for (const subscription of subscriptions) subscribe(by_topic, joined, subscription);
      for (const change of joined.early ?? []) apply(by_topic, joined, change);
      joined.early = undefined;
      joined.held = [];
    },
    change(topic, change) {
      for (const joined of by_topic.get(topic) ?? []) {
        if (joined.early) joined.early.push(change);
        else apply(by_topic, joined, change);
      }
    },
    remove,
    has: (topic) => by_topic.has(topic),
    send(topic, frame) {
      for (const joined of by_topic.get(topic) ?? []) {
        if (joined.held && joined.held.length >= max_held) joined.connection.close('slow');
        else if (joined.held) joined.held.push(frame);
        else joined.connection.send(frame);
      }
    },
    close(topic, reason) {
      for (const joined of by_topic.get(topic) ?? []) {
        joined.connection.close(reason);
        remove(joined);
      }
    },
    closeAll() {
      for (const { connection } of all) connection.close('draining');
    },
    count: () => all.size,
    isFull(user_id) {
      const most = isId('gst', user_id)
        ? limits.realtime_connections_per_guest
        : limits.realtime_connections_per_account;
      return (by_topic.get(`user:${user_id}`)?.size ?? 0) >= most;
    },
  };
}

/** Whether a channel drains within a time limit, or closes. */
export function isDrained(channel: Writable, within_ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (drained: boolean) => {
      clearTimeout(timer);
      channel.off('drain', onDrain).off('close', onClose);
      resolve(drained);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    const timer = setTimeout(settle, within_ms, false);
    channel.on('drain', onDrain).on('close', onClose);
    if (channel.destroyed) settle(false);
  });
}
