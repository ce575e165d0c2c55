/** Jobs: deferred work, enqueued in the transaction that causes it and run once, on any live node. */
import type { Services } from './services.ts';

/**
 * What jobs may have to wait for besides the database: the media server and carriers of phones, mail and SMS servers, push
 * services of devices, or another provider. Each lane has workers of its own, so that one that does not answer holds up
 * only the jobs that need it.
 */
export const job_lanes = ['database', 'calls', 'letters', 'pushes', 'providers'] as const;
/** The lane of a job. */
export type JobLane = (typeof job_lanes)[number];

/**
 * A kind of job: its name and its code. Failed jobs are retried with back-off, so that running twice must be harmless.
 */
export type Job<P = unknown> = {
  name: string;
  /** The error of the last attempt is logged and stored with the job. */
  max_attempts: number;
  /** `database` by default. */
  lane?: JobLane;
  run(payload: P, services: Services): Promise<void>;
};

/** Declares a job. */
export function job<P>(definition: Job<P>): Job<P> {
  return definition;
}
