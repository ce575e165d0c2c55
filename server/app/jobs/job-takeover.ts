/**
 * Takes over the jobs of nodes that died. The queue itself waits four hours before it believes that whoever locked a
 * job is gone, which is too long for a code that somebody waits for. So each node holds an advisory lock in the name of
 * its worker for as long as it lives; the database lets go of it with the connection, whatever ended the process.
 */
import type pg from 'pg';
import type { Log } from '../../kernel/observability/log.ts';

const turn_ms = 1000;
/** The class of the advisory locks, so that they cannot meet those of others. */
const lock_class = 'asterism worker';

/** A job that was locked this recently is left alone: its worker may be new and not hold its own lock yet. */
const take_over = `
  with held as (
    select locked_by, locked_at from graphile_worker._private_jobs where locked_at is not null
    union all select locked_by, locked_at from graphile_worker._private_job_queues where locked_at is not null),
  dead as (
    select locked_by from held where locked_by <> $2 group by locked_by
    having max(locked_at) < now() - interval '2 seconds'
       and pg_try_advisory_xact_lock(hashtext($1), hashtext(locked_by)))
  select graphile_worker.force_unlock_workers(array_agg(locked_by)), array_agg(locked_by) as workers
  from dead having count(*) > 0`;

/** Without these a host that vanished would keep its connection, and with it its lock, for hours. */
const keep_alive = `
  select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '3', false)`;

/**
 * Says that the worker lives, and frees what dead ones had locked: within three seconds of their end. A job that was
 * under way runs again, which its contract allows; the try counts, so that one that kills its node ends some time.
 */
export function startTakeover(pool: pg.Pool, worker_id: string, log: Log): { close(): Promise<void> } {
  let client: pg.PoolClient | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function turn(): Promise<void> {
    if (client) {
      const { rows } = await client.query<{ workers: string[] }>(take_over, [lock_class, worker_id]);
      if (rows[0]) log.warn({ workers: rows[0].workers }, 'jobs of workers that died are taken over');
      return;
    }
    const connected = await pool.connect();
    try {
      await connected.query(keep_alive);
      await connected.query('select pg_advisory_lock(hashtext($1), hashtext($2))', [lock_class, worker_id]);
      // The others' locks are looked at from the next turn on: after a restart of the database they need theirs first.
      client = connected;
    } catch (error) {
      connected.release(true);
      throw error;
    }
  }

  async function run(): Promise<void> {
    try {
      await turn();
    } catch (error) {
      client?.release(true);
      client = undefined;
      if (!closed) log.warn({ err: error }, 'the jobs of dead workers could not be looked for');
    }
    if (!closed) timer = setTimeout(() => void (running = run()), turn_ms);
  }

  let running = run();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
      // Closed rather than given back: the lock ends with the connection.
      client?.release(true);
    },
  };
}
