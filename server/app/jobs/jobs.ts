/** The job runner: passes each due job to its code, on the node that claims it first. */
import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { runOnce, runTaskList, Logger, type TaskList, type WorkerPool } from 'graphile-worker';
import type pg from 'pg';
import { openPlainPool, sql } from '../../kernel/database/database.ts';
import { job_lanes, type Job, type JobLane } from '../../kernel/job.ts';
import { shiftJobs } from '../../kernel/job-queue.ts';
import type { Services } from '../../kernel/services.ts';
import { keepOutcomes } from './job-outcomes.ts';
import { startTakeover } from './job-takeover.ts';

/** The workers of the job queue on one node. */
export type JobRunner = {
  /** Runs due jobs until none is left: for tests, which run no worker. */
  settle(): Promise<void>;
  /** Stops taking jobs, waits a while for running ones, and returns the unfinished ones to the queue. */
  close(): Promise<void>;
};

/** The interval of the fallback poll; new jobs wake the worker at once by NOTIFY. */
const poll_ms = 1000;
/** The jobs of each lane that a node runs at once. */
const concurrency: Record<JobLane, number> = { database: 4, calls: 4, letters: 4, pushes: 16, providers: 2 };
/** Connections that fetch and complete jobs; each lane has another to listen, and the takeover has one for its locks. */
const fetching_connections = 4;
/** Usually enough for the completion of a job to be written, which the worker does not wait for. */
const completion_ms = 20;
/** An ended job counts as held for so long, in which its outcome is usually written. */
const ended_ms = 10_000;
/** The time limit for closing the queue's connections, which running jobs may occupy. */
const pool_end_ms = 1000;
/**
 * One poll at a time serves all workers of a lane, and an empty one is followed by a pause: jobs for later also wake
 * the worker, such as the next check of a call, which every update of it reschedules.
 */
const presetOf = (lane: JobLane) => ({
  worker: {
    localQueue: {
      size: concurrency[lane],
      // Jobs queued behind long ones are returned, for another node to take.
      ttl: 500,
      refetchDelay: { durationMs: 20, threshold: 1, maxAbortThreshold: Infinity },
    },
  },
});

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
      while (await isAnyDue(services)) await runOnce({ ...options, taskList: toTasks(services, jobs) });
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
      await outcomes.writeFailed(pool).catch(() => undefined);
      // Unfinished jobs are taken over by another node, or after the next start; running twice is harmless.
      if (lanes.length > 0 && (await Promise.race([stopped, late])))
        await pool.query('select graphile_worker.force_unlock_workers($1)', [workers.ids]);
      timer.abort();
      await takeover?.close();
      await Promise.race([pool.end(), wait(pool_end_ms, undefined, { ref: false })]);
    },
  };
}

/**
 * Starts the workers of each lane. Not by `run` of the library, which for each lane would check whether the queue is
 * migrated.
 */
function startLanes(
  services: Services,
  options: { pgPool: pg.Pool; logger: Logger; noHandleSignals: boolean },
  jobs: Job<never>[],
  held: HeldJobs,
): WorkerPool[] {
  return job_lanes.map((lane) => {
    const events = new EventEmitter();
    held.follow(events);
    events.once('pool:create', ({ workerPool }: { workerPool: Workers }) => fetchPromptly(events, workerPool));
    const ofLane = jobs.filter((job) => (job.lane ?? 'database') === lane);
    const pace = { preset: presetOf(lane), concurrency: concurrency[lane], pollInterval: poll_ms };
    return runTaskList({ ...options, ...pace, events }, toTasks(services, ofLane), options.pgPool);
  });
}

/** The part of graphile-worker's pool that is used here: `nudge` makes it fetch jobs. */
type Workers = { nudge(count: number): void };
type LocalQueue = { fetchInProgress?: boolean; refetchDelayActive?: boolean };
type JobEvent = { job: { id: string; job_queue_id: number | null } };

/** The jobs that run on this node or have just ended. */
type HeldJobs = { follow(events: EventEmitter): void; list(): string[] };

function trackJobs(): HeldJobs {
  /** When each ended; undefined while it runs. */
  const ended_at = new Map<string, number | undefined>();
  return {
    follow(events) {
      events.on('job:start', ({ job: { id } }: JobEvent) => ended_at.set(id, undefined));
      events.on('job:complete', ({ job: { id } }: JobEvent) => ended_at.set(id, performance.now()));
    },
    list() {
      for (const [id, at] of ended_at) if (at !== undefined && performance.now() - at > ended_ms) ended_at.delete(id);
      return [...ended_at.keys()];
    },
  };
}

/**
 * Fetches again when that was asked for during a fetch or the pause after it, which graphile-worker would forget: the
 * job would wait for the next poll. And fetches around each job of a named queue, since a fetch gets only one of its
 * jobs, also when they are the oldest ones: while it runs, those of others are found, and then the next of its queue.
 */
function fetchPromptly(events: EventEmitter, workers: Workers): void {
  let queue: LocalQueue = {};
  let is_asked = false;
  const remember = () => {
    is_asked ||= queue.fetchInProgress === true || queue.refetchDelayActive === true;
  };
  const ask = () => {
    remember();
    workers.nudge(1);
  };
  const isQueued = ({ job }: JobEvent) => job.job_queue_id !== null;
  events.once('localQueue:init', ({ localQueue }: { localQueue: LocalQueue }) => (queue = localQueue));
  events.on('pool:listen:notification', remember);
  events.on('localQueue:refetchDelay:expired', () => {
    if (!is_asked) return;
    is_asked = false;
    workers.nudge(1);
  });
  events.on('job:start', (one: JobEvent) => isQueued(one) && ask());
  events.on('job:complete', (one: JobEvent) => {
    if (isQueued(one)) setTimeout(ask, completion_ms).unref();
  });
}

async function isAnyDue({ db }: Services): Promise<boolean> {
  const due = await db.run(sql`
    select 1 from graphile_worker._private_jobs
    where run_at <= now() and locked_at is null and attempts < max_attempts limit 1`);
  return due > 0;
}

function toTasks(services: Services, jobs: Job<never>[]): TaskList {
  return Object.fromEntries(
    jobs.map((job) => [
      job.name,
      async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number } }) => {
        try {
          await job.run(payload as never, services);
        } catch (error) {
          const { attempts, max_attempts } = helpers.job;
          services.log.warn({ err: error, job: job.name, attempts, max_attempts }, 'a job failed');
          throw error;
        }
      },
    ]),
  );
}
