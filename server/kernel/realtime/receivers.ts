/** Receivers: which connections of a node receive a topic. The connections of one account share its subscriptions. */
import type { Writable } from 'node:stream';

/** A transport to one receiver: a websocket or a server-sent event stream. */
export type Connection = {
  user_id: string;
  session_id: string;
  /** The stream that frames are written to, to see its backlog. */
  channel: Writable;
  /**
   * Whether its session has not ended. Checked after the registration, since the end of a session closes registered
   * connections only: a session that ended between check and registration would remain connected.
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
  account: AccountConnections;
  held: Frame[] | undefined;
};

/**
 * The connections of one user or guest on this node, and what they are subscribed to. They share it: an account may
 * follow thousands of tags, and have dozens of connections.
 */
type AccountConnections = {
  id: string;
  connections: Set<JoinedConnection>;
  subscriptions: Map<string, string[]>;
  /** How many of the subscriptions contain each topic. */
  topics: Map<string, number>;
  /** Changes that arrived before the subscriptions were known. */
  early: SubscriptionChange[] | undefined;
  /** Settled when the subscriptions are known. */
  loaded: Promise<void> | undefined;
};

/** Sets by key, without empty ones. */
class SetsByKey<T> {
  private readonly sets = new Map<string, Set<T>>();

  get(key: string): ReadonlySet<T> | undefined {
    return this.sets.get(key);
  }

  add(key: string, value: T): void {
    const set = this.sets.get(key);
    if (set) set.add(value);
    else this.sets.set(key, new Set([value]));
  }

  remove(key: string, value: T): void {
    const set = this.sets.get(key);
    set?.delete(value);
    if (set?.size === 0) this.sets.delete(key);
  }
}

type ByTopic = SetsByKey<AccountConnections>;

function subscribe(by_topic: ByTopic, account: AccountConnections, { key, topics }: Subscription): void {
  if (account.subscriptions.has(key)) return;
  account.subscriptions.set(key, topics);
  for (const topic of topics) {
    account.topics.set(topic, (account.topics.get(topic) ?? 0) + 1);
    by_topic.add(topic, account);
  }
}

function unsubscribe(by_topic: ByTopic, account: AccountConnections, key: string): void {
  for (const topic of account.subscriptions.get(key) ?? []) {
    const left = (account.topics.get(topic) ?? 1) - 1;
    if (left > 0) account.topics.set(topic, left);
    else {
      account.topics.delete(topic);
      by_topic.remove(topic, account);
    }
  }
  account.subscriptions.delete(key);
}

function apply(by_topic: ByTopic, account: AccountConnections, { add, remove }: SubscriptionChange): void {
  for (const key of remove) unsubscribe(by_topic, account, key);
  for (const subscription of add) subscribe(by_topic, account, subscription);
}

const userTopic = (user_id: string) => `user:${user_id}`;
const sessionTopic = (session_id: string) => `session:${session_id}`;

function newAccount(id: string): AccountConnections {
  return {
    id,
    connections: new Set(),
    subscriptions: new Map(),
    topics: new Map(),
    early: [],
    loaded: undefined,
  };
}

/** Who receives the events of a topic on this node. */
export type Receivers = {
  add(connection: Connection): JoinedConnection;
  remove(joined: JoinedConnection): void;
  /** Waits until the subscriptions of its account are known. @throws what `read` throws */
  load(joined: JoinedConnection, read: () => Promise<Subscription[]>): Promise<void>;
  change(topic: string, change: SubscriptionChange): void;
  /** Whether a topic has connections. */
  has(topic: string): boolean;
  /**
   * Visits the connections of a topic: that of a user, of a session, or one that accounts have subscribed to. A generator
   * would cost about as much as what a visit does.
   */
  forEach(topic: string, visit: (joined: JoinedConnection) => void): void;
  topicsOf(joined: JoinedConnection): string[];
  /** How many connections a user has. */
  countOf(user_id: string): number;
};

/** Creates an empty table. */
export function createReceivers(): Receivers {
  /** By the topic of their user. */
  const accounts = new Map<string, AccountConnections>();
  const by_session = new SetsByKey<JoinedConnection>();
  const by_topic: ByTopic = new SetsByKey();

  async function readInto(account: AccountConnections, read: () => Promise<Subscription[]>): Promise<void> {
    const subscriptions = await read();
    // Its last connection may have been closed meanwhile.
    if (account.connections.size === 0) return;
    for (const subscription of subscriptions) subscribe(by_topic, account, subscription);
    for (const change of account.early ?? []) apply(by_topic, account, change);
    account.early = undefined;
  }

  return {
    add(connection) {
      const topic = userTopic(connection.user_id);
      const account = accounts.get(topic) ?? newAccount(connection.user_id);
      accounts.set(topic, account);
      const joined: JoinedConnection = { connection, account, held: [] };
      account.connections.add(joined);
      by_session.add(sessionTopic(connection.session_id), joined);
      return joined;
    },
    remove(joined) {
      const { account, connection } = joined;
      by_session.remove(sessionTopic(connection.session_id), joined);
      account.connections.delete(joined);
      if (account.connections.size > 0) return;
      if (accounts.get(userTopic(account.id)) === account) accounts.delete(userTopic(account.id));
      for (const topic of account.topics.keys()) by_topic.remove(topic, account);
    },
    load({ account }, read) {
      account.loaded ??= readInto(account, read).catch((error: unknown) => {
        // The next connection tries again.
        account.loaded = undefined;
        throw error;
      });
      return account.loaded;
    },
    change(topic, change) {
      const account = accounts.get(topic);
      if (!account) return;
      if (account.early) account.early.push(change);
      else apply(by_topic, account, change);
    },
    has: (topic) => accounts.has(topic) || by_session.get(topic) !== undefined || by_topic.get(topic) !== undefined,
    forEach(topic, visit) {
      accounts.get(topic)?.connections.forEach(visit);
      by_session.get(topic)?.forEach(visit);
      by_topic.get(topic)?.forEach(({ connections }) => connections.forEach(visit));
    },
    topicsOf: ({ account, connection }) => [
      userTopic(account.id),
      sessionTopic(connection.session_id),
      ...account.topics.keys(),
    ],
    countOf: (user_id) => accounts.get(userTopic(user_id))?.connections.size ?? 0,
  };
}
