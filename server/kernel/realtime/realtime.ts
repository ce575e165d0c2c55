/**
 * Realtime: one reader of the outbox for each node, and the lines that it feeds.
 *
 * A receiver's stream is the outbox's order, so that resuming is a matter of one place. While a receiver catches up,
 * what happens meanwhile is held back and follows: nothing is lost in between and nothing comes twice.
 */
import type { Pool } from '../database/database.ts';
import type { Limits } from '../load/limits.ts';
import {
  createLines,
  isDrained,
  type Frame,
  type Joined,
  type Line,
  type Lines,
  type Subscription,
  type SubscriptionChange,
} from './lines.ts';
import { idPattern } from '../id.ts';
import type { Log } from '../observability/log.ts';
import {
  comparePlaces,
  isComplete,
  parseId,
  selectHead,
  selectMissed,
  type Place,
  type StoredEvent,
} from './outbox.ts';
import { createReader } from './outbox-reader.ts';
import { ApiError } from '../errors.ts';
import { wireTime } from '../time.ts';

export type Welcome = { type: 'ready' | 'reset'; last_event_id: string };

export type Realtime = {
  /** Reads the outbox now rather than at the next turn. */
  wake(): void;
  /** The newest event id, from which a new client begins. */
  headId(): string;
  /** Whether the outbox was read within the last second: then no revocation can have been missed for longer. */
  isFresh(): boolean;
  /**
   * Connects a line. Resolves once `welcome` is sent, to a way to leave; what was missed follows as fast as it is read.
   * @throws ApiError `rate_limited` when the account has as many as it may on this node
   */
  join(line: Line, last_event_id: string | undefined, welcome: (welcome: Welcome) => void): Promise<() => void>;
  /** Sends users who are connected to this node what is stored nowhere, and therefore never replayed. */
  deliver(broadcast: Broadcast): void;
  /** Hears of every event of every topic as soon as it is committed, perhaps twice and out of order: for caches. */
  onCommitted(listener: (event: StoredEvent) => void): void;
  lines(): number;
  closeLines(): void;
  close(): Promise<void>;
};

/** Something for users who are connected now; `at` as it stands on the wire. */
export type Broadcast = { user_ids: string[]; type: string; at: string; data: unknown };

const fresh_ms = 1000;

/** The type of the events that change what a user's lines hear of. They stand in the outbox's order and are not sent on. */
export const subscription_changed = 'subscription.changed';

/** The type of the events after which nothing from before is replayed that names `user_id`. They are not sent on. */
export const replay_barred = 'replay.barred';

/** Told late in any case: what rang must end, and what belongs to others is not the less changed. */
const unbarred_types = /^(call|group)\./;

/** What a user hears of besides what is sent to them alone, by the database. */
export type SelectSubscriptions = (user_id: string) => Promise<Subscription[]>;

/** Starts reading at the outbox's present end. */
export async function startRealtime(
  db: Pool,
  log: Log,
  limits: Limits,
  selectSubscriptions: SelectSubscriptions,
): Promise<Realtime> {
  const { epoch, ...head } = await selectHead(db);
  const lines = createLines(limits);
  const listeners: ((event: StoredEvent) => void)[] = [];
  const idOf = (place: Place) => `${epoch}.${place.xid}.${place.position}`;
  const tell = (event: StoredEvent) => {
    if (lines.has(event.topic)) lines.send(event.topic, frameOf(idOf(event), event));
    if (event.type === 'session.revoked') lines.close(event.topic, 'revoked');
  };
  const reader = createReader(db, log, head, {
    committed: (event) => {
      for (const listener of listeners) listener(event);
    },
    unsettled: (event) => {
      // The end of a session waits for no order: what may still come before it is for that session no more.
      if (event.type === 'session.revoked') tell(event);
    },
    settled: (event) => {
      if (event.type === subscription_changed) {
        lines.change(event.topic, JSON.parse(event.data) as SubscriptionChange);
        return;
      }
      if (event.type !== replay_barred) tell(event);
    },
  });
  reader.wake();
  return {
    wake: reader.wake,
    headId: () => idOf(reader.place()),
    isFresh: () => performance.now() - reader.readAtMs() < fresh_ms,
    join: (line, last_event_id, welcome) =>
      joinLine(
        { db, lines, epoch, place: reader.place, idOf, limits, selectSubscriptions },
        line,
        last_event_id,
        welcome,
      ),
    deliver({ user_ids, type, at, data }) {
      const topics = user_ids.map((one) => `user:${one}`).filter(lines.has);
      // The receivers have heard everything up to this place, so that resuming from it misses nothing.
      const id = idOf(reader.place());
      const frame = { id, text: JSON.stringify({ id, type, at, data }), shared: new Map<string, Buffer>() };
      for (const topic of topics) lines.send(topic, frame);
    },
    onCommitted: (listener) => listeners.push(listener),
    lines: lines.count,
    closeLines: lines.closeAll,
    async close() {
      lines.closeAll();
      await reader.close();
    },
  };
}

type Hub = {
  db: Pool;
  lines: Lines;
  epoch: string;
  place(): Place;
  idOf(place: Place): string;
  limits: Limits;
  selectSubscriptions: SelectSubscriptions;
};

/**
 * The line is taken in first, so that no change of what it hears of is missed while that is read. From the moment at
 * which it hears of everything, what comes is held; what was missed up to that place is read and goes before it.
 */
async function joinLine(
  hub: Hub,
  line: Line,
  last_event_id: string | undefined,
  welcome: (welcome: Welcome) => void,
): Promise<() => void> {
  const { lines } = hub;
  if (lines.isFull(line.user_id))
    throw new ApiError('rate_limited', { message: 'Too many streams are open for this account.', retry_after_s: 30 });
  const joined = lines.add(line);
  try {
    lines.open(joined, await hub.selectSubscriptions(line.user_id));
    const to = hub.place();
    const topics = [...joined.reasons.keys()];
    const replay = last_event_id === undefined ? [] : await selectReplay(hub, topics, last_event_id, to);
    welcome({ type: replay ? 'ready' : 'reset', last_event_id: hub.idOf(to) });
    void catchUp(hub, joined, replay ?? []);
  } catch (error) {
    lines.remove(joined);
    throw error;
  }
  return () => lines.remove(joined);
}

/**
 * Sends what was missed and then what was held back meanwhile, no faster than the reader takes it: one who comes back to
 * more than its backlog may hold must not be cut for that again and again. All at once while nothing has to wait.
 */
async function catchUp({ lines, idOf, limits }: Hub, joined: Joined, missed: StoredEvent[]): Promise<void> {
  const { line } = joined;
  const isTaken = () => {
    if (line.channel.destroyed) return false;
    return !line.channel.writableNeedDrain || isDrained(line.channel, limits.realtime_stall_ms);
  };
  let frames: Iterable<Frame> = missed.values().map((event) => frameOf(idOf(event), event));
  while (joined.held) {
    for (const frame of frames) {
      const taken = isTaken();
      if (taken !== true && !(await taken)) {
        lines.remove(joined);
        line.close('slow');
        return;
      }
      line.send(frame);
    }
    frames = joined.held;
    joined.held = joined.held.length > 0 ? [] : undefined;
  }
}

/** What a receiver missed; undefined when that cannot be told in full, so that it must fetch again. */
async function selectReplay(
  { db, epoch, limits }: Hub,
  topics: string[],
  last_event_id: string,
  to: Place,
): Promise<StoredEvent[] | undefined> {
  const from = parseId(last_event_id, epoch);
  if (!from || comparePlaces(from, to) > 0 || !(await isComplete(db, from))) return undefined;
  const events = await selectMissed(db, topics, from, to, limits.realtime_replay + 1);
  if (events.length > limits.realtime_replay) return undefined;
  return withoutBarred(events).filter(({ type }) => type !== subscription_changed);
}

const user_ids = new RegExp(idPattern('usr').slice(1, -1), 'g');

/** Without bars, and without what came before one and names whom it keeps away: in one pass, however many there are. */
function withoutBarred(events: StoredEvent[]): StoredEvent[] {
  const barred = new Set<string>();
  return events
    .toReversed()
    .filter(({ topic, type, data }) => {
      if (type === replay_barred) {
        barred.add(`${topic} ${(JSON.parse(data) as { user_id: string }).user_id}`);
        return false;
      }
      if (barred.size === 0 || unbarred_types.test(type)) return true;
      return !data.match(user_ids)?.some((id) => barred.has(`${topic} ${id}`));
    })
    .toReversed();
}

function frameOf(id: string, event: StoredEvent): Frame {
  const at = wireTime(event.at);
  return { id, text: `{"id":"${id}","type":"${event.type}","at":"${at}","data":${event.data}}`, shared: new Map() };
}
