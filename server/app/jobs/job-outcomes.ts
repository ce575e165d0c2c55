/**
 * Writes the outcome of jobs also when the database is away at that moment. graphile-worker does not wait for it to be
 * written, and repeats it after a few errors only: any other would end the process, and the job would stay locked.
 */
import type pg from 'pg';
import type { Log } from '../../kernel/observability/log.ts';

/** The connections of the queue for graphile-worker, and the outcomes that could not be written on them. */
export type JobOutcomes = {
  pool: pg.Pool;
  /** Writes the outcomes that failed before, oldest first. @throws when one fails again; it and later ones are kept */
  writeFailed(client: Pick<pg.Pool, 'query'>): Promise<void>;
};

/**
 * graphile-worker names its statements. Those that complete, fail or return jobs can be repeated: at worst, when one was
 * committed and its answer lost, a job that runs again is returned meanwhile and runs twice, as its contract allows.
 */
const outcome_name = /^(complete|fail|return)_jobs?(_q)?\//;

/** @param pool the queue's connections */
export function keepOutcomes(pool: pg.Pool, log: Log): JobOutcomes {
  const failed = new Set<pg.QueryConfig>();

  /** Runs a statement; an outcome that cannot be written is kept instead of failing. */
  async function run(statement: pg.QueryConfig | string, query: () => Promise<unknown>): Promise<unknown> {
    try {
      return await query();
    } catch (error) {
      if (typeof statement === 'string' || !outcome_name.test(statement.name ?? '')) throw error;
      failed.add(statement);
      log.warn({ err: error }, 'the outcome of a job could not be written, and is written later');
      return { rows: [], rowCount: 0 };
    }
  }

  async function connect(): Promise<Pick<pg.PoolClient, 'query' | 'release'>> {
    try {
      const client = await pool.connect();
      const query = (statement: pg.QueryConfig, values?: unknown[]) =>
        run(statement, () => client.query(statement, values));
      return Object.create(client, { query: { value: query } }) as pg.PoolClient;
    } catch (error) {
      const query = (statement: pg.QueryConfig) => run(statement, () => Promise.reject(error as Error));
      return { query: query as pg.PoolClient['query'], release: () => undefined };
    }
  }

  return {
    pool: Object.create(pool, {
      // With a callback it connects to listen, which graphile-worker repeats itself.
      connect: {
        value: (callback?: Parameters<pg.Pool['connect']>[0]) => (callback ? pool.connect(callback) : connect()),
      },
    }) as pg.Pool,
    async writeFailed(client) {
      for (const statement of failed) {
        await client.query(statement);
        failed.delete(statement);
      }
    },
  };
}
