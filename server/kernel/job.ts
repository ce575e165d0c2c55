/** Jobs: work that follows from a change, enqueued in its transaction and run once on whichever node lives. */
import type { Services } from './services.ts';

/** A kind of job: its name, and what it does. Jobs are retried with back-off, so that running twice must do no harm. */
export type Job<P = unknown> = {
  name: string;
  /** The error of the last try is logged and kept with the job. */
  max_attempts: number;
  run(payload: P, services: Services): Promise<void>;
};

/** Declares a job. */
export function job<P>(definition: Job<P>): Job<P> {
  return definition;
}
