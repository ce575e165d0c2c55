/** Connections: the realtime receivers connected to this node, by their topics. */
import type { Writable } from 'node:stream';
import { isId } from '../id.ts';
import type { Limits } from '../load/limits.ts';
import {
  createReceivers,
  type Connection,
  type Frame,
  type JoinedConnection,
  type Subscription,
  type SubscriptionChange,
} from './receivers.ts';

/** The realtime connections of this node. */
export type Connections = {
  /** Adds a connection, which receives the topics of its user and session. */
  add(connection: Connection): JoinedConnection;
  /**
   * Waits until the other subscriptions of its account are known, which are read with its first connection.
   * @throws what `read` throws
   */
  load(joined: JoinedConnection, read: () => Promise<Subscription[]>): Promise<void>;
  /** Holds back what is sent to it from now on. @returns its topics */
  hold(joined: JoinedConnection): string[];
  /** Changes the subscriptions of all connections of a topic, that of a user. */
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

/** Creates an empty table. A connection is closed when more frames are held back for it than can be replayed. */
export function createConnections(
  limits: Pick<Limits, 'realtime_replay' | 'realtime_connections_per_account' | 'realtime_connections_per_guest'>,
): Connections {
  const max_held = limits.realtime_replay;
  const receivers = createReceivers();
  const all = new Set<JoinedConnection>();
  const remove = (joined: JoinedConnection) => {
    all.delete(joined);
    receivers.remove(joined);
  };
  return {
    add(connection) {
      const joined = receivers.add(connection);
      all.add(joined);
      return joined;
    },
    load: receivers.load,
    hold(joined) {
      joined.held = [];
      return receivers.topicsOf(joined);
    },
    change: receivers.change,
    remove,
    has: receivers.has,
    send(topic, frame) {
      receivers.forEach(topic, ({ connection, held }) => {
        if (!held) connection.send(frame);
        else if (held.length >= max_held) connection.close('slow');
        else held.push(frame);
      });
    },
    close(topic, reason) {
      receivers.forEach(topic, (joined) => {
        joined.connection.close(reason);
        remove(joined);
      });
    },
    closeAll() {
      for (const { connection } of all) connection.close('draining');
    },
    count: () => all.size,
    isFull(user_id) {
      const max = isId('gst', user_id)
        ? limits.realtime_connections_per_guest
        : limits.realtime_connections_per_account;
      return receivers.countOf(user_id) >= max;
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
