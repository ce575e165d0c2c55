/** Lines: the realtime receivers that are connected to this node, by what they hear of. */
import type { Writable } from 'node:stream';
import { isId } from '../id.ts';
import type { Limits } from '../load/limits.ts';

/** What carries frames to one receiver: a websocket or a server-sent stream. */
export type Line = {
  user_id: string;
  session_id: string;
  /** What the frames are written to, to see how much of them waits. */
  channel: Writable;
  /** Sends one event. `frame` is encoded once for all lines of a kind. */
  send(event: Frame): void;
  close(reason: 'revoked' | 'draining' | 'slow'): void;
};

/** An event as it stands on the wire; `shared` keeps what a kind of line made of it, for the other lines. */
export type Frame = { id: string; text: string; shared: Map<string, Buffer> };

/** Topics that a user hears of for one reason; the key names the reason, so that the reason can end. */
export type Subscription = { key: string; topics: string[] };

/** What begins and ends of a user's subscriptions. */
export type SubscriptionChange = { add: Subscription[]; remove: string[] };

/** A line that has joined. While it catches up, what happens meanwhile is held back and follows. */
export type Joined = {
  line: Line;
  /** By which reasons it hears of each topic. */
  reasons: Map<string, Set<string>>;
  subscriptions: Map<string, string[]>;
  /** Changes that came before the subscriptions were known. */
  early: SubscriptionChange[] | undefined;
  held: Frame[] | undefined;
};

export type Lines = {
  /** Takes in a line that hears of its user and its session. */
  add(line: Line): Joined;
  /** Adds what else it hears of, with the changes that have come since it was added, and forgets what it has held. */
  open(joined: Joined, subscriptions: Subscription[]): void;
  /** Changes what the lines of a topic hear of. */
  change(topic: string, change: SubscriptionChange): void;
  remove(joined: Joined): void;
  /** Whether anybody hears of a topic, so that a frame is made for nobody. */
  has(topic: string): boolean;
  send(topic: string, frame: Frame): void;
  /** Closes the lines of a topic, which hear no more. */
  close(topic: string, reason: 'revoked' | 'draining'): void;
  closeAll(): void;
  count(): number;
  /** Whether a user, or a guest, has as many lines as they may. */
  isFull(user_id: string): boolean;
};

/** The key under which a line hears of its own user and session. */
const own = '';

type ByTopic = Map<string, Set<Joined>>;

function subscribe(by_topic: ByTopic, joined: Joined, { key, topics }: Subscription): void {
  if (joined.subscriptions.has(key)) return;
  joined.subscriptions.set(key, topics);
  for (const topic of topics) {
    joined.reasons.set(topic, (joined.reasons.get(topic) ?? new Set()).add(key));
    by_topic.set(topic, (by_topic.get(topic) ?? new Set()).add(joined));
  }
}

function unsubscribe(by_topic: ByTopic, joined: Joined, key: string): void {
  for (const topic of joined.subscriptions.get(key) ?? []) {
    const reasons = joined.reasons.get(topic);
    reasons?.delete(key);
    if (reasons?.size) continue;
    joined.reasons.delete(topic);
    leaveTopic(by_topic, joined, topic);
  }
  joined.subscriptions.delete(key);
}

function leaveTopic(by_topic: ByTopic, joined: Joined, topic: string): void {
  const receivers = by_topic.get(topic);
  receivers?.delete(joined);
  if (receivers?.size === 0) by_topic.delete(topic);
}

function apply(by_topic: ByTopic, joined: Joined, { add, remove }: SubscriptionChange): void {
  for (const key of remove) unsubscribe(by_topic, joined, key);
  for (const subscription of add) subscribe(by_topic, joined, subscription);
}

/** Makes an empty table of lines. A line for which more frames than are replayed are held back is cut. */
export function createLines(
  limits: Pick<Limits, 'realtime_replay' | 'realtime_lines_per_account' | 'realtime_lines_per_guest'>,
): Lines {
  const max_held = limits.realtime_replay;
  const by_topic: ByTopic = new Map();
  const all = new Set<Joined>();
  const remove = (joined: Joined) => {
    all.delete(joined);
    for (const topic of joined.reasons.keys()) leaveTopic(by_topic, joined, topic);
  };
  return {
    add(line) {
      const joined: Joined = { line, reasons: new Map(), subscriptions: new Map(), early: [], held: [] };
      all.add(joined);
      subscribe(by_topic, joined, { key: own, topics: [`user:${line.user_id}`, `session:${line.session_id}`] });
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
        if (joined.held && joined.held.length >= max_held) joined.line.close('slow');
        else if (joined.held) joined.held.push(frame);
        else joined.line.send(frame);
      }
    },
    close(topic, reason) {
      for (const joined of by_topic.get(topic) ?? []) {
        joined.line.close(reason);
        remove(joined);
      }
    },
    closeAll() {
      for (const { line } of all) line.close('draining');
    },
    count: () => all.size,
    isFull(user_id) {
      const most = isId('gst', user_id) ? limits.realtime_lines_per_guest : limits.realtime_lines_per_account;
      return (by_topic.get(`user:${user_id}`)?.size ?? 0) >= most;
    },
  };
}

/** Whether a channel takes all that waits in it before a time is over or it closes. */
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
