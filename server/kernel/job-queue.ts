/** The queue of jobs: what is put into it, in the transaction of the change from which it follows. */
import { sql, type Queryable } from './database/database.ts';

/** What names a job without what it does, for those who only put it into the queue. */
export type JobName<P = unknown> = {
  name: string;
  max_attempts: number;
  run?(payload: P, services: never): Promise<void>;
};

export type Enqueue = <P>(
  job: JobName<P>,
  payload: P,
  options?: {
    /** Not before this moment of the service's clock. */
    run_at?: Date;
    /** A second job under the same key replaces the first while that has not run. */
    key?: string;
    /** Jobs of one queue run one after the other, in their order. */
    queue?: string;
  },
) => void;

export type PendingJob = {
  name: string;
  payload: unknown;
  run_at?: Date;
  key?: string;
  queue?: string;
  max_attempts: number;
};

/**
 * Writes jobs into the queue of the caller's transaction. The queue's clock is the database's, so that a moment of the
 * service's clock is moved by its offset.
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

/** Brings waiting jobs nearer by as much as the service's clock has jumped ahead. */
export async function shiftJobs(db: Queryable, jump_ms: number): Promise<void> {
  await db.run(sql`
    update graphile_worker._private_jobs set run_at = run_at - make_interval(secs => ${jump_ms / 1000}::float8)
    where locked_at is null and attempts = 0`);
}
