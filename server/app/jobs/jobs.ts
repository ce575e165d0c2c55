/** The job runner: passes each due job to its code, on the node that claims it first. */
import { setTimeout as wait } from 'node:timers/promises';
import { runOnce, Logger } from 'graphile-worker';
import type pg from 'pg';
import { openPlainPool, sql } from '../../kernel/database/database.ts';
import { job_lanes, type Job } from '../../kernel/job.ts';
import { shiftJobs } from '../../kernel/job-queue.ts';
import type { Services } from '../../kernel/services.ts';
import { startLanes, toTasks, trackJobs } from './job-lanes.ts';
import { keepOutcomes } from './job-outcomes.ts';
import { startTakeover } from './job-takeover.ts';

/** The workers of the job queue on one node. */
export type JobRunner = {
  /** Runs due jobs until none is left: for tests, which run no worker. */
  settle(): Promise<void>;
  /** Stops taking jobs, waits a while for running ones, and returns the unfinished ones to the queue. */
  close(): Promise<void>;
};

/** Connections that fetch and complete jobs; each lane has another to listen, and the takeover has one for its locks. */
const fetching_connections = 4;
/** The time limit for closing the queue's connections, which running jobs may occupy. */
const pool_end_ms = 1000;

/** Separate connections for the queue, so that a burst of requests cannot starve jobs, or vice versa. */
export const openQueue = (url: string): pg.Pool =>
  openPlainPool(url, fetching_connections + job_lanes.length + 1, 'asterism jobs');

/**
 * Starts the workers, or in a test only prepares them.
 * @param pool the queue's connections, closed with it
 */
export async function startJobs(
  services: Services,
  pool: pg.Pool,
  jobs: Job<never>[],
  background: boolean,
): Promise<JobRunner> {
  const logger = new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') services.log.warn({ job_queue: message }, 'job queue');
  });
  const outcomes = keepOutcomes(pool, services.log);
  const options = { pgPool: outcomes.pool, logger, noHandleSignals: true };
  services.clock.onMove((jump_ms) => shiftJobs(services.db, jump_ms));
  const held = trackJobs();
  const lanes = background ? startLanes(services, options, jobs, held) : [];
  const workers = { ids: lanes.map(({ id }) => id), jobs: held.list };
  const takeover = background ? startTakeover(pool, workers, outcomes, services.log) : undefined;
  let is_closing = false;
  for (const one of lanes)
    one.promise.catch((error: unknown) => {
      if (!is_closing) services.log.error({ err: error }, 'the workers of a lane have ended');
    });
  return {
    async settle() {
      // One pass may stop at a queue whose next job was locked.
      while (await isAnyDue(services)) {
        await runOnce({ ...options, taskList: toTasks(services, jobs) });
        // It resolves before the outcomes of its last jobs are written; a failed job is rescheduled by its outcome.
        while (pool.totalCount > pool.idleCount) await wait(1);
      }
      await outcomes.writeFailed(pool);
    },
    close: async () => {
      is_closing = true;
      const timer = new AbortController();
      const late = wait(services.limits.drain_ms, true, { signal: timer.signal }).catch(() => false);
      // It fails when jobs that were fetched have not begun, which are then unlocked like those that run.
      const stopped = Promise.allSettled(lanes.map(async (one) => one.gracefulShutdown())).then((results) =>
        results.some(({ status }) => status === 'rejected'),
      );
      const are_unfinished = lanes.length > 0 && (await Promise.race([stopped, late]));
      await outcomes.writeFailed(pool).catch(() => undefined);
      // Unfinished jobs are taken over by another node, or after the next start; running twice is harmless.
      if (are_unfinished) await pool.query('select graphile_worker.force_unlock_workers($1)', [workers.ids]);
      timer.abort();
      await takeover?.close();
      await Promise.race([pool.end(), wait(pool_end_ms, undefined, { ref: false })]);
    },
  };
}

async function isAnyDue({ db }: Services): Promise<boolean> {
  const due = await db.run(sql`
    select 1 from graphile_worker._private_jobs
    where run_at <= now() and locked_at is null and attempts < max_attempts limit 1`);
  return due > 0;
}
