/** The job queue: jobs are inserted in the transaction of the change that causes them. */
import { sql, type Queryable } from './database/database.ts';

/** Identifies a kind of job without its code, for code that only enqueues it. */
export type JobName<P = unknown> = {
  name: string;
  max_attempts: number;
  run?(payload: P, services: never): Promise<void>;
};

/** Enqueues a job with its payload, in the transaction of the change. */
export type Enqueue = <P>(
  job: JobName<P>,
  payload: P,
  options?: {
    /** The earliest time to run, by the service's clock. */
    run_at?: Date;
    /** A later job with the same key replaces an earlier one that has not run yet. */
    key?: string;
    /** Jobs of the same queue run one after the other, in order. */
    queue?: string;
  },
) => void;

/** A job that is inserted when its change commits. */
export type PendingJob = {
  name: string;
  payload: unknown;
  run_at?: Date;
  key?: string;
  queue?: string;
  max_attempts: number;
};

/**
 * Inserts jobs in the caller's transaction. The queue uses the database's clock, so times of the service's clock are
 * shifted by its offset.
 */
export async function insertJobs(db: Queryable, jobs: PendingJob[], clock_offset_ms: number): Promise<void> {
  await Promise.all(
    jobs.map(({ name, payload, run_at, key, queue, max_attempts }) => {
      const at = run_at ? new Date(run_at.getTime() - clock_offset_ms) : null;
      return db.run(sql`
        select graphile_worker.add_job(
          ${name}::text, ${JSON.stringify(payload)}::json, queue_name => ${queue ?? null}::text,
          run_at => ${at}::timestamptz, max_attempts => ${max_attempts}::int, job_key => ${key ?? null}::text)`);
    }),
  );
}

/** Moves the times of waiting jobs earlier by as much as the service's clock has jumped ahead. */
export async function shiftJobs(db: Queryable, jump_ms: number): Promise<void> {
  await db.run(sql`
    update graphile_worker._private_jobs set run_at = run_at - make_interval(secs => ${jump_ms / 1000}::float8)
    where locked_at is null and attempts = 0`);
}
