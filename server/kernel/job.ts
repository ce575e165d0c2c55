/** Jobs: deferred work, enqueued in the transaction that causes it and run once, on any live node. */
import type { Services } from './services.ts';

/**
 * A kind of job: its name and its code. Failed jobs are retried with back-off, so that running twice must be harmless.
 */
export type Job<P = unknown> = {
  name: string;
  /** The error of the last attempt is logged and stored with the job. */
  max_attempts: number;
  run(payload: P, services: Services): Promise<void>;
};

/** Declares a job. */
export function job<P>(definition: Job<P>): Job<P> {
  return definition;
}
