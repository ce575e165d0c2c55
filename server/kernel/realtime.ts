/**
 * Realtime: one reader of the outbox for each node, and the sockets that it feeds.
 *
 * A receiver's stream is the outbox's order, so that resuming is a matter of one place. While a receiver catches up,
 * what happens meanwhile is held back and follows: nothing is lost in between and nothing comes twice.
 */
import type { Pool } from './database.ts';
import { limits } from './limits.ts';
import type { Log } from './log.ts';
import { isComplete, selectEventsAfter, selectHead, selectMissed, type Place, type StoredEvent } from './outbox.ts';
import { wireTime } from './time.ts';

/** What carries frames to one receiver: a websocket or a server-sent stream. */
export type Line = {
  user_id: string;
  session_id: string;
  /** Sends one event. `frame` is encoded once for all lines of a kind. */
  send(event: Frame): void;
  close(reason: 'revoked' | 'draining' | 'slow'): void;
};

/** An event as it stands on the wire; `shared` keeps what a kind of line made of it, for the other lines. */
export type Frame = { id: string; text: string; shared: Map<string, Buffer> };

export type Welcome = { type: 'ready' | 'reset'; last_event_id: string };

export type Realtime = {
  /** Reads the outbox now rather than at the next turn. */
  wake(): void;
  /** The newest event id, from which a new client begins. */
  headId(): string;
  /** Whether the outbox was read within the last second: then no revocation can have been missed for longer. */
  isFresh(): boolean;
  /** Connects a line. Resolves after `welcome` and what was missed have been sent. */
  join(line: Line, last_event_id: string | undefined, welcome: (welcome: Welcome) => void): Promise<() => void>;
  /** Hears of every event of every topic as soon as it is committed, perhaps twice and out of order: for caches. */
  onCommitted(listener: (event: StoredEvent) => void): void;
  lines(): number;
  close(): Promise<void>;
};

type Joined = { line: Line; held: Frame[] | undefined };

const poll_ms = 400;
const settle_ms = 10;
const batch = 1000;

/** Starts reading at the outbox's present end. */
export async function startRealtime(db: Pool, log: Log): Promise<Realtime> {
  const head = await selectHead(db);
  const epoch = head.epoch;
  let place: Place = { xid: head.xid, position: head.position };
  const topics = new Map<string, Set<Joined>>();
  const listeners: ((event: StoredEvent) => void)[] = [];
  const idOf = (at: Place) => `${epoch}.${at.xid}.${at.position}`;
  let read_at_ms = performance.now();
  let closed = false;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<void> | undefined;

  function deliver(event: StoredEvent): void {
    const receivers = topics.get(event.topic);
    if (!receivers) return;
    const frame = frameOf(idOf(event), event);
    for (const joined of receivers) {
      if (joined.held) joined.held.push(frame);
      else joined.line.send(frame);
    }
    if (event.type === 'session.revoked') for (const { line } of [...receivers]) line.close('revoked');
  }

  async function read(): Promise<void> {
    const started_ms = performance.now();
    const { events, unsettled, more } = await selectEventsAfter(db, place, batch);
    read_at_ms = started_ms;
    for (const event of [...events, ...unsettled]) for (const listener of listeners) listener(event);
    for (const event of events) {
      place = { xid: event.xid, position: event.position };
      deliver(event);
    }
    again ||= more && events.length > 0;
    if (more && events.length === 0) schedule(settle_ms);
  }

  function schedule(delay_ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(turn, delay_ms);
    timer.unref();
  }

  function turn(): void {
    if (closed || reading) {
      again = true;
      return;
    }
    again = false;
    schedule(poll_ms);
    reading = read()
      .catch((error: unknown) => log.warn({ err: error }, 'the outbox could not be read'))
      .finally(() => {
        reading = undefined;
        if (again && !closed) setImmediate(turn);
      });
  }

  function add(joined: Joined): string[] {
    const names = [`user:${joined.line.user_id}`, `session:${joined.line.session_id}`];
    for (const name of names) topics.set(name, (topics.get(name) ?? new Set()).add(joined));
    return names;
  }

  function remove(joined: Joined, names: string[]): void {
    for (const name of names) {
      const set = topics.get(name);
      set?.delete(joined);
      if (set?.size === 0) topics.delete(name);
    }
  }

  async function missed(names: string[], last_event_id: string, to: Place): Promise<StoredEvent[] | undefined> {
    const from = parseId(last_event_id, epoch);
    if (!from || comparePlaces(from, to) > 0 || !(await isComplete(db, from))) return undefined;
    const events = await selectMissed(db, names, from, to, limits.realtime_replay + 1);
    return events.length > limits.realtime_replay ? undefined : events;
  }

  turn();
  return {
    wake: turn,
    headId: () => idOf(place),
    isFresh: () => performance.now() - read_at_ms < 1000,
    async join(line, last_event_id, welcome) {
      const joined: Joined = { line, held: [] };
      const to = place;
      const names = add(joined);
      try {
        const replay = last_event_id === undefined ? [] : await missed(names, last_event_id, to);
        welcome({ type: replay ? 'ready' : 'reset', last_event_id: idOf(to) });
        for (const event of replay ?? []) line.send(frameOf(idOf(event), event));
        for (const frame of joined.held ?? []) line.send(frame);
        joined.held = undefined;
      } catch (error) {
        remove(joined, names);
        throw error;
      }
      return () => remove(joined, names);
    },
    onCommitted: (listener) => listeners.push(listener),
    lines: () => [...topics].filter(([name]) => name.startsWith('session:')).reduce((sum, [, set]) => sum + set.size, 0),
    async close() {
      closed = true;
      clearTimeout(timer);
      const all = new Set([...topics.values()].flatMap((set) => [...set]));
      for (const { line } of all) line.close('draining');
      await reading;
    },
  };
}

function frameOf(id: string, event: StoredEvent): Frame {
  const at = wireTime(event.at);
  return { id, text: `{"id":"${id}","type":"${event.type}","at":"${at}","data":${event.data}}`, shared: new Map() };
}

function parseId(id: string, epoch: string): Place | undefined {
  const match = /^([\w-]+)\.(\d{1,20})\.(\d{1,19})$/.exec(id);
  const [, own, xid, position] = match ?? [];
  return own === epoch && xid && position ? { xid, position } : undefined;
}

function comparePlaces(one: Place, other: Place): number {
  const difference = BigInt(one.xid) - BigInt(other.xid) || BigInt(one.position) - BigInt(other.position);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}
