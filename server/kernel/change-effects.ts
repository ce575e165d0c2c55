/** The effects of a change that follow its own statements: events, jobs, and what is written together with the events. */
import { sql, type Queryable, type Sql } from './database/database.ts';
import type { Emission } from './event.ts';
import type { PendingJob } from './job-queue.ts';
import { deferEvents, encodeEvents, insertEvents } from './realtime/outbox.ts';

/** What follows from the statements of one change, collected until its commit. */
export type Effects = {
  emissions: Emission[];
  /** How many of the events are already inserted. */
  inserted: number;
  /** Whether the events are inserted by a job after the change. */
  is_deferred: boolean;
  /** Statement steps to be written with the next events. */
  steps: { sql: Sql; resolve(): void; reject(error: unknown): void } | undefined;
  jobs: PendingJob[];
  callbacks: (() => void)[];
  in_flight: Promise<unknown>[];
};

/** Inserts the events that were not inserted yet, together with the pending steps, in one statement. */
export function sendEvents(db: Queryable, effects: Effects, now: Date): Promise<void> {
  const { emissions, inserted, steps, is_deferred } = effects;
  effects.steps = undefined;
  if (!is_deferred) effects.inserted = emissions.length;
  const sent = insertEvents(db, is_deferred ? [] : emissions.slice(inserted), now, steps?.sql);
  if (steps) sent.then(steps.resolve, steps.reject);
  return sent;
}

/** The name and payload of the job that inserts the events of a change that deferred them. */
export const deferred_events = 'realtime.insert-deferred';
/** The payload of that job. */
export type DeferredEvents = { events: Emission[] };

/**
 * Lets the events of others pass while a change runs; its own events are inserted by a job after it.
 * @throws when it has inserted some, which would be missed
 */
export function deferAll(db: Queryable, effects: Effects): Promise<void> {
  if (effects.inserted > 0) throw new Error('the change has inserted events');
  effects.is_deferred = true;
  return deferEvents(db);
}

/** Plans the job that inserts the events of a change that deferred them. */
export async function planDeferred(db: Queryable, effects: Effects): Promise<void> {
  if (!effects.is_deferred || effects.emissions.length === 0) return;
  const payload: DeferredEvents = { events: await encodeEvents(db, effects.emissions) };
  effects.jobs.push({ name: deferred_events, payload, max_attempts: 20 });
}

/**
 * Awaits statements in the order in which they were sent: statements after a failed one fail only because of it, and
 * may be reported before it.
 */
export async function inOrder(sent: Promise<unknown>[]): Promise<void> {
  for (const one of sent) one.catch(() => undefined);
  for (const one of sent) await one;
}

/** A savepoint, and the effects of the change at that point. */
export function setSavepoint(db: Queryable, effects: Effects): () => Promise<void> {
  const { emissions, jobs, callbacks, in_flight } = effects;
  const then = { ...effects };
  const lists: unknown[][] = [emissions, jobs, callbacks, in_flight];
  const lengths = lists.map((list) => list.length);
  // Not awaited, as with `begin`: if it fails, so does the next statement.
  db.run(sql`savepoint checkpoint`).catch(() => undefined);
  return async () => {
    // Others' events may have passed the whole transaction.
    Object.assign(effects, then, { is_deferred: effects.is_deferred });
    for (const [at, list] of lists.entries()) list.length = lengths[at] ?? 0;
    await db.run(sql`rollback to savepoint checkpoint`);
  };
}
