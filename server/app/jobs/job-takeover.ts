/**
 * Takes over the jobs of dead nodes. The queue itself waits four hours before it assumes that the owner of a locked job
 * is dead, which is too long for a user who waits for a code. So each node holds an advisory lock named after each of
 * its workers while it is alive; the database releases it with the connection, however the process ended.
 */
import type pg from 'pg';
import type { Log } from '../../kernel/observability/log.ts';
import type { JobOutcomes } from './job-outcomes.ts';

const turn_ms = 1000;
/** The turns between two searches for jobs that this node has lost. */
const turns_per_search = 5;
/** The class of the advisory locks, so that they do not collide with others. */
const lock_class = 'asterism worker';

/** A job that was locked this recently is left alone: its worker may be new and not hold its lock yet. */
const take_over = `
  with held as (
    select locked_by, locked_at from graphile_worker._private_jobs where locked_at is not null
    union all select locked_by, locked_at from graphile_worker._private_job_queues where locked_at is not null),
  dead as (
    select locked_by from held where locked_by <> all($2) group by locked_by
    having max(locked_at) < now() - interval '2 seconds'
       and pg_try_advisory_xact_lock(hashtext($1), hashtext(locked_by)))
  select graphile_worker.force_unlock_workers(array_agg(locked_by)), array_agg(locked_by) as workers
  from dead having count(*) > 0`;

/**
 * Jobs that this node has locked and does not have: the answer to the statement that fetched them was lost with its
 * connection. Others are started or returned within a second.
 */
const free_lost = `
  with lost as (
    select id, job_queue_id from graphile_worker._private_jobs
    where locked_by = any($1) and locked_at < now() - interval '10 seconds' and id <> all($2::bigint[])),
  queues as (
    update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
    from lost where q.id = lost.job_queue_id and q.locked_by = any($1))
  update graphile_worker._private_jobs j set locked_by = null, locked_at = null
  from lost where j.id = lost.id and j.locked_by = any($1) returning j.id`;

/** Without TCP keep-alive, a host that failed would keep its connection, and with it its lock, for hours. */
const keep_alive = `
  select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '3', false)`;

/** The workers of this node. `ids` are those of its lanes, and `jobs()` the jobs that they run or have just ended. */
export type NodeWorkers = { ids: string[]; jobs(): string[] };

/**
 * Holds the locks of this node's workers, and frees what dead workers had locked, within three seconds of their death.
 * A job that was running runs again, which its contract allows; the attempt counts, so that a job that kills its node
 * stops eventually. It also writes outcomes that failed, and frees jobs that this node has lost.
 */
export function startTakeover(
  pool: pg.Pool,
  workers: NodeWorkers,
  outcomes: JobOutcomes,
  log: Log,
): { close(): Promise<void> } {
  const worker_ids = workers.ids;
  let turn = 0;
  let client: pg.PoolClient | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function runRound(): Promise<void> {
    if (client) {
      await outcomes.writeFailed(client);
      turn += 1;
      if (turn % turns_per_search === 0) {
        const { rows: freed } = await client.query<{ id: string }>(free_lost, [worker_ids, workers.jobs()]);
        if (freed.length > 0)
          log.warn({ jobs: freed.map(({ id }) => id) }, 'jobs that were lost while fetched run again');
      }
      const { rows } = await client.query<{ workers: string[] }>(take_over, [lock_class, worker_ids]);
      if (rows[0]) log.warn({ workers: rows[0].workers }, 'jobs of dead workers are taken over');
      return;
    }
    const connected = await pool.connect();
    try {
      await connected.query(keep_alive);
      await connected.query('select pg_advisory_lock(hashtext($1), hashtext(id)) from unnest($2::text[]) as id', [
        lock_class,
        worker_ids,
      ]);
      // Others' locks are only checked from the next round on: after a restart of the database they need to acquire
      // theirs first.
      client = connected;
    } catch (error) {
      connected.release(true);
      throw error;
    }
  }

  async function run(): Promise<void> {
    try {
      await runRound();
    } catch (error) {
      client?.release(true);
      client = undefined;
      if (!closed) log.warn({ err: error }, 'failed to look for jobs of dead workers');
    }
    if (!closed) timer = setTimeout(() => void (running = run()), turn_ms);
  }

  let running = run();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
      // Closed rather than returned to the pool: the lock ends with the connection.
      client?.release(true);
    },
  };
}
