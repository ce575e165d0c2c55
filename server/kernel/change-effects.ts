/** The effects of a change that follow its own statements: events, jobs, and what is written together with the events. */
import { sql, type Queryable, type Sql } from './database/database.ts';
import type { Emission } from './event.ts';
import type { PendingJob } from './job-queue.ts';
import { insertEvents } from './realtime/outbox.ts';

export type Effects = {
  emissions: Emission[];
  /** How many of the events are already inserted. */
  inserted: number;
  /** Statement steps to be written with the next events. */
  steps: { sql: Sql; resolve(): void; reject(error: unknown): void } | undefined;
  jobs: PendingJob[];
  callbacks: (() => void)[];
  in_flight: Promise<unknown>[];
};

/** Inserts the events that were not inserted yet, together with the pending steps, in one statement. */
export function sendEvents(db: Queryable, effects: Effects, now: Date): Promise<void> {
  const { emissions, inserted, steps } = effects;
  effects.inserted = emissions.length;
  effects.steps = undefined;
  const sent = insertEvents(db, emissions.slice(inserted), now, steps?.sql);
  if (steps) sent.then(steps.resolve, steps.reject);
  return sent;
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
    Object.assign(effects, then);
    for (const [at, list] of lists.entries()) list.length = lengths[at] ?? 0;
    await db.run(sql`rollback to savepoint checkpoint`);
  };
}
