/** The outbox reader, one for each node. */
import type { Pool } from '../database/database.ts';
import type { Log } from '../observability/log.ts';
import { selectEventsAfter, type OutboxCursor, type StoredEvent } from './outbox.ts';

const poll_ms = 400;
const settle_ms = 10;
/** The minimum interval of reads: under load a read for each change would cost as much as a small request. */
const pace_ms = 5;
const batch = 1000;
/** How long an event waits for older transactions before those that cannot insert events are passed. */
const patience_ms = 50;

type OutboxListener = {
  /** As soon as an event is committed, possibly more than once. */
  committed(event: StoredEvent): void;
  /** At each read, while another event may still be committed before it. */
  unsettled(event: StoredEvent): void;
  /** Once and in order, when nothing can be committed before it any more. */
  settled(event: StoredEvent): void;
};

/**
 * Reads the outbox from a cursor on: when notified, and at least every 400 ms. Reads start at least `pace_ms` apart, so
 * that a single event is delivered at once.
 */
export function createReader(db: Pool, log: Log, from: OutboxCursor, listener: OutboxListener) {
  const patience = createPatience();
  let cursor = from;
  let begun_ms = -Infinity;
  let read_at_ms = performance.now();
  let closed = false;
  /** Whether the last read was full, so that more may follow. */
  let is_full = false;
  /** Whether it was notified since the current read began. */
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  let paced: NodeJS.Timeout | undefined;
  let reading: Promise<void> | undefined;
  async function read(): Promise<void> {
    begun_ms = performance.now();
    is_full = false;
    const { events, unsettled, more } = await selectEventsAfter(db, cursor, batch, patience.isOver());
    patience.update(unsettled[0]?.position, begun_ms);
    read_at_ms = begun_ms;
    for (const event of [...events, ...unsettled]) listener.committed(event);
    for (const event of events) {
      cursor = { xid: event.xid, position: event.position };
      listener.settled(event);
    }
    for (const event of unsettled) listener.unsettled(event);
    if (more && events.length > 0) again = true;
    else if (more) schedule(settle_ms);
    is_full = events.length + unsettled.length === batch;
  }

  function schedule(delay_ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(wake, delay_ms).unref();
  }

  function begin(): void {
    if (closed || reading) return;
    again = false;
    schedule(poll_ms);
    reading = read()
      .catch((error: unknown) => log.warn({ err: error }, 'failed to read the outbox'))
      .finally(() => {
        reading = undefined;
        if (is_full) setImmediate(begin);
        else if (again) wake();
      });
  }

  function wake(is_pause_over = false): void {
    if (is_pause_over) paced = undefined;
    if (closed || paced) return;
    again = true;
    if (reading) return;
    // A timer counts from when the event loop last read the clock, and may fire early: then it waits for the rest.
    const early_ms = begun_ms + pace_ms - performance.now();
    if (early_ms > 0) paced = setTimeout(wake, Math.ceil(early_ms), true).unref();
    else begin();
  }

  return {
    wake: () => wake(),
    cursor: () => cursor,
    readAtMs: () => read_at_ms,
    async close() {
      closed = true;
      clearTimeout(timer);
      await reading;
    },
  };
}

/** Notices when an event has waited for long for an older transaction: the next read then passes those that it may. */
function createPatience() {
  let waiting: { position: string; since_ms: number } | undefined;
  let is_over = false;
  return {
    isOver: () => is_over,
    /** @param position the first event that waits, if any */
    update(position: string | undefined, now_ms: number): void {
      is_over = false;
      if (position === undefined) waiting = undefined;
      else if (waiting?.position !== position) waiting = { position, since_ms: now_ms };
      else if (now_ms - waiting.since_ms >= patience_ms) {
        is_over = true;
        waiting.since_ms = now_ms;
      }
    },
  };
}
