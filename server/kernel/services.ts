/** What a handler, a job and a subscriber may reach for: made once by the app, handed down, never imported. */
import { isOutdated } from './memory.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from '../engines/ports.ts';
import { sql, type Pool, type Queryable } from './database/database.ts';
import type { Caller, Method, Origin } from './caller.ts';
import type { Emission, Emit, EventType } from './event.ts';
import type { MakeId } from './id.ts';
import { insertJobs, type Enqueue, type PendingJob } from './job-queue.ts';
import type { CommonWords } from './search/common-words.ts';
import type { Decoder } from './media/decoder.ts';
import type { Limits } from './load/limits.ts';
import type { Log } from './observability/log.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Realtime } from './realtime/realtime.ts';
import type { Static, TSchema } from './schema.ts';
import type { Secrets } from './security/secret.ts';
import type { Throttle, ThrottleClass } from './load/throttle.ts';
import type { Clock } from './time.ts';
import { insertEvents } from './realtime/outbox.ts';

/** The engines as they are, but for the database, which is reached through its pool. */
export type Services = Omit<Engines, 'database'> & {
  db: Pool;
  clock: Clock;
  id: MakeId;
  secrets: Secrets;
  /** The words that very many texts of an index hold. */
  commonWords: CommonWords;
  limits: Limits;
  throttle: Throttle;
  log: Log;
  metrics: Metrics;
  /** Base of every address that is sent to somebody, without a slash at its end. */
  public_url: string;
  /** Countries whose phones may be called (ISO 3166-1, two letters): what the operator allows. */
  phone_countries: ReadonlySet<string>;
  /** The map that clients show instead of our own. */
  map_provider: { style_url: string; token: string | null } | undefined;
  realtime: Realtime;
  /**
   * Tells users who are connected now, on whatever node, what must be stored nowhere. At most once: whoever is away, or
   * catches up later, hears nothing of it.
   */
  broadcast: <S extends TSchema>(event: EventType<S>, user_ids: string[], data: Static<S>) => void;
  /** The sessions that this node has read; forgotten when they change. */
  sessions: { drop(session_id: string): void };
  /** Tells the realtime readers of all nodes that the outbox has grown. */
  wake(): void;
  /** Runs at most a few memory-hard hashes at once, with a bounded queue before them. */
  hashing: Limiter;
  /** Decodes what users send, in processes of its own. */
  decoder: Decoder;
  lifecycles: readonly Lifecycle[];
  operations: Operations;
};

/** What an area does with its own rows when an account goes, when one person blocks another, and as time passes. */
export type Lifecycle = {
  /** Ends what others see or what would still run, in the transaction that deletes the account. Few statements. */
  accountDeleted?(change: Change, user_id: string, services: Services): Promise<void>;
  /**
   * Removes rows of a deleted account, at most `portion` of each kind.
   * @returns whether there may be more: then it is called again, in another transaction
   */
  purgeAccount?(change: Change, user_id: string, portion: number, services: Services): Promise<boolean>;
  /** Ends what two people share, in the transaction in which one of them blocks the other. */
  blocked?(change: Change, blocker_id: string, blocked_id: string, services: Services): Promise<void>;
  /**
   * Removes what has expired, at most `portion` rows of each kind; called about once an hour, on one node.
   * @returns whether there may be more: then it is called again, in another transaction
   */
  expire?(change: Change, portion: number): Promise<boolean>;
};

/** Who runs an operation in process, and within which change. */
export type InProcess = {
  caller: Caller;
  origin: Origin;
  services: Services;
  change: Change;
  take(name: ThrottleClass, key: string, amount?: number): Promise<void>;
};

/** The parts of a request; what is left out is empty. */
export type Request = { path?: Record<string, string>; query?: Record<string, unknown>; body?: object };

/** The operations of the service, for what runs others in process. */
export type Operations = {
  has(method: Method, path: string): boolean;
  /**
   * Runs an operation within a change that goes on: the same gate, budget, checks and rule as a request has. What it
   * changes commits with that change. Operations that take a file or answer with a stream are not for this.
   * @param path with `{parameters}`
   * @returns its status, and its body as a client would get it
   * @throws ApiError what it refuses, and `not_found` where this build has no such operation
   */
  call(method: Method, path: string, by: InProcess, request: Request): Promise<{ status: number; body: unknown }>;
};

/** Runs work a few at a time; beyond a bounded queue it refuses with 503. */
export type Limiter = {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Refuses at once what would be refused later, before anything is spent on it. @throws ApiError `unavailable` */
  requireRoom(): void;
};

/** A change in progress: its transaction, and what leaves once that has committed. */
export type Change = {
  db: Queryable;
  now: Date;
  id: MakeId;
  emit: Emit;
  enqueue: Enqueue;
  /**
   * Lets a statement that was begun travel together with the events and the commit, where nothing is made of its answer.
   * The change fails with it.
   */
  alongside(statement: Promise<unknown>): void;
  /** Waits for what goes alongside: before a statement of somebody else's, which would fail in its place. */
  settle(): Promise<void>;
  /** It was undone and is done again: then nothing that the node remembers is used, which might mislead it once more. */
  is_redone: boolean;
  /** Runs after the commit, in this process only: for caches. What must not be lost is an event or a job. */
  afterCommit(work: () => void): void;
};

/** Marks a place in a change, and answers how to go back to it: all statements, events and jobs since then are undone. */
export type Checkpoint = () => () => Promise<void>;

/** How often a change is tried that the database ends so that another can go on. */
const deadlock_tries = 3;
const deadlock_pause_ms = 10;

/** Whether the database undid a transaction for the sake of another (PostgreSQL, appendix A: class 40). */
const isUndoneForAnother = (error: unknown) =>
  ['40P01', '40001'].includes((error as { code?: string } | null)?.code ?? '');

/**
 * Runs one change: everything in it, its events and its jobs commit together or not at all. What two changes that waited
 * for each other have undone, and what went by something that the node remembered wrongly, is done again: `work` must bear that.
 */
export async function change<T>(
  services: Services,
  work: (change: Change, checkpoint: Checkpoint) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await changeOnce(services, work, tries > 1);
    } catch (error) {
      if (tries < deadlock_tries && isOutdated(error)) continue;
      if (tries === deadlock_tries || !isUndoneForAnother(error)) throw error;
      // The other goes first: begun again at once, this one could take from it what it waits for.
      await wait(tries * deadlock_pause_ms);
    }
  }
}

async function changeOnce<T>(
  services: Services,
  work: (change: Change, checkpoint: Checkpoint) => Promise<T>,
  is_redone: boolean,
): Promise<T> {
  const emissions: Emission[] = [];
  const jobs: PendingJob[] = [];
  const later: (() => void)[] = [];
  const under_way: Promise<unknown>[] = [];
  const now = services.clock.now();
  const finish = () => {
    for (const act of later) act();
    if (emissions.length > 0) services.wake();
  };
  try {
    const result = await services.db.transaction(
      (db) =>
        work(
          {
            db,
            now,
            id: services.id,
            is_redone,
            emit: (event, topics, data, late) => {
              for (const topic of new Set(topics)) emissions.push({ topic, type: event.type, data, late });
            },
            enqueue: (job, payload, options = {}) => {
              jobs.push({ name: job.name, payload, max_attempts: job.max_attempts, ...options });
            },
            alongside: (statement) => {
              // Heard of at the end of the change; until then nobody waits for it.
              statement.catch(() => undefined);
              under_way.push(statement);
            },
            settle: async () => void (await Promise.all(under_way)),
            afterCommit: (act) => later.push(act),
          },
          () => markPlace(db, [emissions, jobs, later, under_way]),
        ),
      (db) =>
        inOrder([...under_way, insertEvents(db, emissions, now), insertJobs(db, jobs, services.clock.offset_ms())]),
    );
    finish();
    return result;
  } catch (error) {
    if ((error as { commit?: boolean }).commit) finish();
    throw error;
  }
}

/** Waits for what was sent in this order: what stands behind one that has failed fails only for that, perhaps earlier. */
async function inOrder(sent: Promise<unknown>[]): Promise<void> {
  for (const one of sent) one.catch(() => undefined);
  for (const one of sent) await one;
}

/** A savepoint, and how long the lists of what follows from the change are at it. */
function markPlace(db: Queryable, lists: unknown[][]): () => Promise<void> {
  const lengths = lists.map((list) => list.length);
  // Not awaited, as with `begin`: should it fail, so does the statement after it.
  db.run(sql`savepoint checkpoint`).catch(() => undefined);
  return async () => {
    for (const [at, list] of lists.entries()) list.length = lengths[at] ?? 0;
    await db.run(sql`rollback to savepoint checkpoint`);
  };
}

/**
 * Lets `running` pieces of work go on at once and `waiting` wait.
 * @throws ApiError `unavailable` when both are full
 */
export function createLimiter(running: number, waiting: number, refuse: () => never): Limiter {
  let active = 0;
  const queue: (() => void)[] = [];
  const requireRoom = () => {
    if (active >= running && queue.length >= waiting) refuse();
  };
  const limiter = async <T>(work: () => Promise<T>): Promise<T> => {
    requireRoom();
    if (active >= running) await new Promise<void>((resolve) => queue.push(resolve));
    else active++;
    try {
      return await work();
    } finally {
      // The place passes straight to the next in the queue, so that a newcomer cannot slip in between.
      const next = queue.shift();
      if (next) next();
      else active--;
    }
  };
  return Object.assign(limiter, { requireRoom });
}
