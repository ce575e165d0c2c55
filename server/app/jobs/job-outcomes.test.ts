/** A database that is away while jobs end: each outcome is written later, and the process goes on. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { slow } from '../../../testing/slow-tests.ts';
import { job, type Job } from '../../kernel/job.ts';
import { change } from '../../kernel/services.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { openQueue, startJobs, type JobRunner } from './jobs.ts';

let world: World;
let runner: JobRunner;
/** A connection to another database of the server, which stays open. */
let admin: pg.Client;
const application_name = 'asterism jobs';
const kept: string[] = [];
const unhandled: unknown[] = [];
const record = (error: unknown) => void unhandled.push(error);

let runs = 0;
/** The name of the world's database. */
let database: string;
let gate = Promise.withResolvers<void>();
const jobs = {
  completed: job<object>({ name: 'test.completed', max_attempts: 3, lane: 'letters', run: () => pass() }),
  failed: job<object>({
    name: 'test.failed',
    max_attempts: 3,
    lane: 'letters',
    run: () => pass().then(() => Promise.reject(new Error('the provider refused it'))),
  }),
};

/** What a provider says ends up in the error of a job. */
const quoting = job<object>({
  name: 'test.quoting',
  max_attempts: 3,
  lane: 'letters',
  run: () => pass().then(() => Promise.reject(new Error('the provider said "\0\ud83d"'))),
});

async function pass(): Promise<void> {
  runs += 1;
  await gate.promise;
}

beforeAll(async () => {
  world = await createWorld({ peopled: false });
  process.on('unhandledRejection', record);
  const { services } = world.app;
  const url = new URL(services.db.native.options.connectionString ?? '');
  const log = Object.create(services.log, { warn: { value: (_: object, text: string) => void kept.push(text) } });
  runner = await startJobs(
    { ...services, log },
    openQueue(url.href),
    [...Object.values(jobs), quoting] as Job<never>[],
    true,
  );
  database = url.pathname.slice(1);
  url.pathname = '/postgres';
  admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
});
afterAll(async () => {
  gate.resolve();
  await runner.close();
  await admin.end();
  process.off('unhandledRejection', record);
  await world.close();
});
beforeEach(async () => {
  await query('delete from graphile_worker._private_jobs');
  runs = 0;
  kept.length = 0;
  gate = Promise.withResolvers();
});

const query = async (text: string, values?: unknown[]) => (await world.app.services.db.native.query(text, values)).rows;
const queue = () => query('select attempts, locked_by, last_error from graphile_worker._private_jobs');

/** Enqueues a job, and waits until it runs. */
async function start(kind: Job<object>, options: { queue?: string } = {}): Promise<void> {
  await change(world.app.services, async (one) => void one.enqueue(kind, {}, options));
  await expect.poll(() => runs).toBe(1);
}

/** Ends the connections of the queue, or those that wait for a lock. @returns how many */
async function endConnections(which = ''): Promise<number> {
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = $2 ${which}`,
    [database, application_name],
  );
  return rowCount ?? 0;
}

/** Lets the job end, and ends the connection on which its outcome is being written. */
async function loseOutcome(): Promise<void> {
  const locker = await world.app.services.db.native.connect();
  try {
    await locker.query('begin');
    await locker.query('lock table graphile_worker._private_jobs in exclusive mode');
    gate.resolve();
    const writing = `and wait_event_type = 'Lock' and query ~ '(delete from|update) .*_private_jobs as jobs'`;
    await expect.poll(() => endConnections(writing)).toBeGreaterThan(0);
    await expect.poll(() => kept.some((text) => text.startsWith('the outcome'))).toBe(true);
  } finally {
    await locker.query('rollback');
    locker.release();
  }
}

it.each([{}, { queue: 'one' }])('completes a job once (%o), whose completion was cut off', slow, async (options) => {
  await start(jobs.completed, options);
  await loseOutcome();
  await expect.poll(queue, { timeout: 10_000 }).toEqual([]);
  expect(await query('select 1 from graphile_worker._private_job_queues where locked_by is not null')).toEqual([]);
  expect([runs, unhandled]).toEqual([1, []]);
});

it('returns a failed job to the queue, whose failure was cut off', slow, async () => {
  await start(jobs.failed);
  await loseOutcome();
  const failed = { attempts: 1, locked_by: null, last_error: 'the provider refused it' };
  await expect.poll(queue, { timeout: 10_000 }).toEqual([failed]);
  expect(unhandled).toEqual([]);
});

it('completes a job that ends while no connection can be made', slow, async () => {
  await start(jobs.completed);
  await admin.query(`alter database ${database} with allow_connections false`);
  try {
    await endConnections();
    gate.resolve();
    await expect.poll(() => kept.some((text) => text.startsWith('the outcome'))).toBe(true);
  } finally {
    await admin.query(`alter database ${database} with allow_connections true`);
  }
  await expect.poll(queue, { timeout: 10_000 }).toEqual([]);
  expect([runs, unhandled]).toEqual([1, []]);
});

it('runs a job whose fetch was answered on a lost connection', slow, async () => {
  await start(jobs.completed);
  const [{ locked_by }] = await queue();
  gate.resolve();
  await expect.poll(queue, { timeout: 10_000 }).toEqual([]);
  await query(`select graphile_worker.add_job($1, run_at => now() + interval '1 hour')`, [jobs.completed.name]);
  await query(
    `update graphile_worker._private_jobs set run_at = now(), locked_by = $1, locked_at = now() - interval '11 seconds'`,
    [locked_by],
  );
  await expect.poll(() => runs, { timeout: 20_000 }).toBe(2);
  await expect.poll(queue, { timeout: 10_000 }).toEqual([]);
});

it('is written without what no text of the database may contain', async () => {
  await start(quoting);
  gate.resolve();
  await expect.poll(queue).toMatchObject([{ attempts: 1, locked_by: null, last_error: 'the provider said "\ufffd"' }]);
  expect(kept.filter((text) => text.includes('could not be written'))).toEqual([]);
});
