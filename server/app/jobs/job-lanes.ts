/** The workers of the job queue by lane: how many jobs run at once, and how soon a due one is fetched. */
import { EventEmitter } from 'node:events';
import { runTaskList, type Logger, type TaskList, type WorkerPool } from 'graphile-worker';
import type pg from 'pg';
import { job_lanes, type Job, type JobLane } from '../../kernel/job.ts';
import type { Services } from '../../kernel/services.ts';

/** The interval of the fallback poll; new jobs wake the worker at once by NOTIFY. */
const poll_ms = 1000;
/** The jobs of each lane that a node runs at once. */
const concurrency: Record<JobLane, number> = { database: 4, calls: 4, letters: 4, pushes: 16, providers: 2 };
/** Usually enough for the completion of a job to be written, which the worker does not wait for. */
const completion_ms = 20;
/** An ended job counts as held for so long, in which its outcome is usually written. */
const ended_ms = 10_000;
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

/**
 * Starts the workers of each lane. Not by `run` of the library, which for each lane would check whether the queue is
 * migrated.
 */
export function startLanes(
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
export type HeldJobs = { follow(events: EventEmitter): void; list(): string[] };

/** Follows the events of lanes, to know which jobs this node holds. */
export function trackJobs(): HeldJobs {
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

/** The code of jobs by their name, for graphile-worker; each failure is logged. */
export function toTasks(services: Services, jobs: Job<never>[]): TaskList {
  return Object.fromEntries(
    jobs.map((job) => [
      job.name,
      async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number } }) => {
        try {
          await job.run(payload as never, services);
        } catch (error) {
          const { attempts, max_attempts } = helpers.job;
          services.log.warn({ err: error, job: job.name, attempts, max_attempts }, 'a job failed');
          throw toStorableError(error);
        }
      },
    ]),
  );
}

/**
 * An error as it can be stored with its job: no text of the database has zero bytes or half a character, which a message that
 * quotes a provider or a file may have. Its job would stay locked, and hold up the outcomes of all others.
 */
function toStorableError(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(message.toWellFormed().replaceAll('\0', ''), { cause: error });
}
