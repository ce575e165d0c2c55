/** Services: what handlers, jobs and subscribers depend on. Created once by the app and passed down, never imported. */
import { isStaleRow } from './row-cache.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from '../engines/ports.ts';
import type { Pool, Queryable, Sql } from './database/database.ts';
import type { Caller, Method, Origin } from './caller.ts';
import { deferAll, inOrder, planDeferred, setSavepoint, sendEvents, type Effects } from './change-effects.ts';
import type { Emit, EventType } from './event.ts';
import type { GenerateId } from './id.ts';
import { insertJobs, type Enqueue } from './job-queue.ts';
import type { CommonWords } from './search/common-words.ts';
import type { Decoder } from './media/decoder.ts';
import type { FairQueue } from './load/fair-queue.ts';
import type { Limits } from './load/limits.ts';
import type { Log } from './observability/log.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Realtime } from './realtime/realtime.ts';
import type { Secrets } from './security/secret.ts';
import type { Throttle, ThrottleClass } from './load/throttle.ts';
import type { Clock } from './time.ts';

/** The engines themselves, except for the database, which is used through its pool. */
export type Services = Omit<Engines, 'database'> & {
  db: Pool;
  clock: Clock;
  id: GenerateId;
  secrets: Secrets;
  /** The most common words of each search index. */
  commonWords: CommonWords;
  limits: Limits;
  throttle: Throttle;
  log: Log;
  metrics: Metrics;
  /** The base of all public addresses, without a trailing slash. */
  public_url: string;
  /** Countries whose phones may be called (ISO 3166-1, two letters), as configured by the operator. */
  phone_countries: ReadonlySet<string>;
  /** An external map that clients show instead of the built-in one. */
  map_provider: { style_url: string; token: string | null } | undefined;
  realtime: Realtime;
  /**
   * Sends an event that must not be stored to connected users on any node. At most once: offline devices never receive
   * it.
   */
  broadcast: <Data extends object>(event: EventType<Data>, user_ids: string[], data: NoInfer<Data>) => void;
  /** The session cache of this node; entries are dropped when they change. */
  sessions: { drop(session_id: string): void };
  /** Notifies the outbox readers of all nodes of new events. */
  wake(): void;
  /** Limits concurrent memory-hard hashes, in turns over networks and accounts, with a bounded queue. */
  hashing: FairQueue;
  /** Decodes uploads, in child processes. */
  decoder: Decoder;
  lifecycles: readonly Lifecycle[];
  operations: Operations;
};

/** What an area does with its rows when an account is deleted, when one person blocks another, and as time passes. */
export type Lifecycle = {
  /** Hides what others see and cancels pending work, in the transaction that deletes the account. Few statements. */
  accountDeleted?(change: Change, user_id: string): Promise<void>;
  /**
   * Removes rows of a deleted account, at most `portion` of each kind.
   * @returns whether there may be more: then it is called again, in another transaction
   */
  purgeAccount?(change: Change, user_id: string, portion: number): Promise<boolean>;
  /** Ends the relations of two people, in the transaction in which one of them blocks the other. */
  blocked?(change: Change, blocker_id: string, blocked_id: string): Promise<void>;
  /**
   * Removes what has expired, at most `portion` rows of each kind; called about once an hour, on one node.
   * @returns whether there may be more: then it is called again, in another transaction
   */
  expire?(change: Change, portion: number): Promise<boolean>;
};

/** The caller of an operation that runs in process, and the change that it belongs to. */
export type InProcessContext = {
  caller: Caller;
  origin: Origin;
  change: Change;
  consume(name: ThrottleClass, key: string, amount?: number): Promise<void>;
};

/** The parts of a request; omitted ones are empty. */
export type Request = { path?: Record<string, string>; query?: Record<string, unknown>; body?: object };

/** The operations of the service, for code that runs them in process. */
export type Operations = {
  has(method: Method, path: string): boolean;
  /**
   * Runs an operation within the current change: with the same gate, budget, checks and handler as a request, and
   * committed with that change. Not for operations that accept a file or return a stream.
   * @param path with `{parameters}`
   * @returns its status, and its body as a client would receive it
   * @throws ApiError as the operation itself; `not_found` when this build has no such operation
   */
  call(
    method: Method,
    path: string,
    by: InProcessContext,
    request: Request,
  ): Promise<{ status: number; body: unknown }>;
};

/** A change in progress: its transaction, what follows from the commit, and the services that its code depends on. */
export type Change = {
  services: Services;
  db: Queryable;
  now: Date;
  id: GenerateId;
  emit: Emit;
  enqueue: Enqueue;
  /**
   * Lets the events of others be delivered while this change runs; its own are inserted by a job after it. For
   * changes of thousands of rows, before any of them: otherwise everybody's events wait for their commit.
   */
  deferEvents(): Promise<void>;
  /**
   * Makes a statement in flight share the round trip of the events and the commit, when its result is not needed. If it
   * fails, the change fails.
   */
  awaitAtCommit(statement: Promise<unknown>): void;
  /**
   * Runs changes in the statement that inserts the events, which costs less than a separate one: `steps` are common
   * table expressions, which computed members of events may read. At most one in a change; not for what is read afterwards.
   * The result is to be passed to `awaitAtCommit`, after mapping a failure to its error.
   */
  writeWithEvents(steps: Sql): Promise<void>;
  /**
   * Sends what is deferred to the end of the change, and awaits the statements in flight: needed before statements of
   * other code, which would otherwise receive their errors.
   */
  flush(): Promise<void>;
  /** Whether this is a repetition after a rollback: then cached rows are not used, which might be stale again. */
  is_retry: boolean;
  /** Runs after the commit, in this process only: for caches. What must not be lost is an event or a job. */
  afterCommit(work: () => void): void;
};

/**
 * Sets a savepoint in a change and returns the function that rolls back to it: all statements, events and jobs since
 * then.
 */
export type Checkpoint = () => () => Promise<void>;

/** How often a change is tried when the database rolls it back because of a conflict. */
const max_attempts = 3;
const deadlock_pause_ms = 10;

/** Whether the database rolled back a transaction for a conflict with another (PostgreSQL, appendix A: class 40). */
const isTransactionConflict = (error: unknown) =>
  ['40P01', '40001'].includes((error as { code?: string } | null)?.code ?? '');

/**
 * Runs one change: everything in it, its events and its jobs commit together or not at all. After a deadlock, a
 * serialisation failure or a stale cached row it is repeated, so `work` must be repeatable.
 */
export async function change<T>(
  services: Services,
  work: (change: Change, checkpoint: Checkpoint) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await changeOnce(services, work, attempt > 1);
    } catch (error) {
      if (attempt < max_attempts && isStaleRow(error)) continue;
      if (attempt === max_attempts || !isTransactionConflict(error)) throw error;
      // The pause gives the other transaction time to finish; a retry at once could deadlock with it again.
      await wait(attempt * deadlock_pause_ms);
    }
  }
}

/** What one run of a change has collected until its commit. */
const noEffects = (): Effects => ({
  emissions: [],
  inserted: 0,
  is_deferred: false,
  steps: undefined,
  jobs: [],
  callbacks: [],
  in_flight: [],
});

/** The change as its work sees it: what it is given, and what collects effects. */
function openChange(
  { services, db, now, is_retry }: Pick<Change, 'services' | 'db' | 'now' | 'is_retry'>,
  effects: Effects,
): Change {
  return {
    services,
    db,
    now,
    id: services.id,
    is_retry,
    emit: (event, topics, data, computed) => {
      for (const topic of new Set(topics)) effects.emissions.push({ topic, type: event.type, data, computed });
    },
    enqueue: (job, payload, options = {}) => {
      effects.jobs.push({ name: job.name, payload, max_attempts: job.max_attempts, ...options });
    },
    deferEvents: () => deferAll(db, effects),
    awaitAtCommit: (statement) => {
      // Its error is reported at the end of the change; until then nothing awaits it.
      statement.catch(() => undefined);
      effects.in_flight.push(statement);
    },
    writeWithEvents: (sql_of_steps) => {
      if (effects.steps) throw new Error('a change writes with its events once');
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      effects.steps = { sql: sql_of_steps, resolve, reject };
      return promise;
    },
    flush: async () => {
      if (effects.steps) await inOrder([...effects.in_flight, sendEvents(db, effects, now)]);
      else await Promise.all(effects.in_flight);
    },
    afterCommit: (act) => effects.callbacks.push(act),
  };
}

async function changeOnce<T>(
  services: Services,
  work: (change: Change, checkpoint: Checkpoint) => Promise<T>,
  is_retry: boolean,
): Promise<T> {
  const effects = noEffects();
  const now = services.clock.now();
  const finish = () => {
    for (const act of effects.callbacks) act();
    if (effects.emissions.length > 0) services.wake();
  };
  try {
    const result = await services.db.transaction(
      (db) => work(openChange({ services, db, now, is_retry }, effects), () => setSavepoint(db, effects)),
      async (db) => {
        if (effects.is_deferred) await planDeferred(db, effects);
        const sent = [sendEvents(db, effects, now), insertJobs(db, effects.jobs, services.clock.offset_ms())];
        return inOrder([...effects.in_flight, ...sent]);
      },
    );
    finish();
    return result;
  } catch (error) {
    if ((error as { commit?: boolean }).commit) finish();
    throw error;
  }
}
