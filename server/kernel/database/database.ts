/** The database as features see it: tagged SQL, prepared once for each text, over a bounded pool. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { cutConnection, watchDatabase, type DatabaseWatch } from './database-watch.ts';
import { createReadPipelines } from './read-pipelines.ts';
import { variable_prefix, type Result } from './prepared-statement.ts';
import { createGroupCommit } from './group-commit.ts';
import { isConnectionBroken, runAlone, runInBatch, SkippedStatement, type NamedStatement } from './statement-batch.ts';
import { runTransaction } from './transaction.ts';
import { ApiError } from '../errors.ts';
import { default_limits, type Limits } from '../load/limits.ts';

export { empty, join, raw, sql };
export type { Sql };

/** Runs statements: the pool for reads, or one transaction for writes. */
export type Queryable = {
  many<T extends object>(statement: Sql): Promise<T[]>;
  /** The first row, or undefined. */
  maybe<T extends object>(statement: Sql): Promise<T | undefined>;
  /** The first row of a statement that always returns one. */
  one<T extends object>(statement: Sql): Promise<T>;
  /** The number of rows affected. */
  run(statement: Sql): Promise<number>;
  /**
   * Whether statements issued before the first is awaited share one round trip: true on a single connection, false over
   * the pool.
   */
  readonly is_pipelined: boolean;
};

export type Pool = Queryable & {
  /**
   * Runs `work` in a transaction. `finish` runs at its end and shares a round trip with the commit: it issues all its
   * statements before it first awaits. An ApiError marked `commit` commits the transaction and is rethrown.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, finish?: (tx: Queryable) => Promise<unknown>): Promise<T>;
  /** Runs independent reads on one connection: those issued before the first is awaited share one round trip. */
  together<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
  /**
   * Whether as many wait for a connection as there are: more would only wait longer. Transactions that wait for their group
   * do not count, since they run together.
   */
  isBehind(): boolean;
  /** The current numbers, for metrics. */
  state(): { total: number; idle: number; waiting: number };
  readonly native: pg.Pool;
  close(): Promise<void>;
};

/** When more requests than this wait for a connection, accepting another one is useless. */
const max_waiting = 256;

/** The fraction of the pool that single reads share; the rest is for transactions. */
const read_share = 0.3;

/**
 * Groups of transactions at once, as far as this fraction of the pool allows: with two, one that waits for a lock does not
 * hold up all others; with more, groups are smaller and cost more.
 */
const max_groups = 2;
const group_share = 0.2;

/** The name of a prepared statement, and whether it neither writes nor locks anything. */
type KnownStatement = { name: string; is_read: boolean };

type DatabaseLimits = Pick<
  Limits,
  | 'database_connection_ms'
  | 'database_statement_ms'
  | 'database_idle_ms'
  | 'database_watch_ms'
  | 'database_stalled_ms'
  | 'database_given_up_ms'
>;

/** The connections of a pool; they are cut when the database hangs. */
function openConnections(url: string, size: number, limits: DatabaseLimits): { pool: pg.Pool; watch: DatabaseWatch } {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    pipeline: true,
    idleTimeoutMillis: 0,
    keepAlive: true,
    connectionTimeoutMillis: limits.database_connection_ms,
    // The server cancels a slow statement itself and rolls it back; the client gives up only if the server does not
    // answer at all.
    statement_timeout: limits.database_statement_ms,
    idle_in_transaction_session_timeout: limits.database_idle_ms,
    query_timeout: limits.database_statement_ms + limits.database_stalled_ms,
    application_name: 'asterism',
    // Each text is planned once per connection: planning again for each set of values costs more than running these
    // statements.
    options: '-c plan_cache_mode=force_generic_plan',
  } as pg.PoolConfig);
  // The pool replaces a connection that breaks while idle; without a listener its error event would end the process.
  pool.on('error', () => undefined);
  // The same for a connection that breaks while in use: its statement fails, and its caller receives the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const connections = new Set<pg.PoolClient>();
  pool.on('connect', (client) => connections.add(client));
  pool.on('remove', (client) => connections.delete(client));
  const watch = watchDatabase(
    url,
    {
      every_ms: limits.database_watch_ms,
      stalled_after_ms: limits.database_stalled_ms,
      given_up_after_ms: limits.database_given_up_ms,
    },
    () => connections.forEach(cutConnection),
  );
  return { pool, watch };
}

/** Opens a pool of at most `size` connections to the server that the connection string names. */
export function openPool(url: string, size: number, limits: DatabaseLimits = default_limits): Pool {
  const { pool, watch } = openConnections(url, size, limits);
  const knownOf = createStatements();
  const pipelines = createReadPipelines(pool, Math.floor(size * read_share));
  const groups = createGroupCommit(pool, Math.min(max_groups, Math.floor(size * group_share)));
  const admit = () => {
    if (watch.isStalled()) throw new ApiError('unavailable', { retry_after_s: 2 });
    if (pool.waitingCount + groups.waiting() >= max_waiting) throw new ApiError('unavailable', { retry_after_s: 1 });
  };
  const host = { admit, connect: () => pool.connect(), add: groups.add };
  const nameOf = (statement: Sql) => {
    const { text, values } = statement;
    const { name } = knownOf(text);
    return { name: variable.has(statement) ? variable_prefix + name : name, text, values };
  };
  const query = async (statement: Sql): Promise<Result> => {
    admit();
    const { text, values } = statement;
    const { name } = nameOf(statement);
    const { is_read } = knownOf(text);
    const slot = is_read ? pipelines.acquire() : undefined;
    if (!slot) return runAlone(pool, { name, text, values });
    try {
      const result = await runInBatch(slot.client, { name, text, values }, setImmediate);
      slot.release(false);
      return result;
    } catch (error) {
      slot.release(isConnectionBroken(error));
      if (error instanceof SkippedStatement) return query(statement);
      throw error;
    }
  };
  return {
    ...queryable(query, false),
    transaction: (work, finish) => {
      const on = (run: (statement: NamedStatement) => Promise<Result>) =>
        queryable((statement) => run(nameOf(statement)), true);
      return runTransaction(host, (run) => work(on(run)), finish && ((run) => finish(on(run))));
    },
    together: async (work) => {
      admit();
      return readTogether(pool, nameOf, work);
    },
    isBehind: () => pool.waitingCount >= size,
    state: () => ({
      total: pool.totalCount,
      idle: pool.idleCount + pipelines.idle() + groups.idle(),
      waiting: pool.waitingCount + groups.waiting(),
    }),
    native: pool,
    async close() {
      await watch.close();
      pipelines.close();
      groups.close();
      await pool.end();
    },
  };
}

/** Runs reads on one connection. */
async function readTogether<T>(
  pool: pg.Pool,
  nameOf: (statement: Sql) => NamedStatement,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  /** A read that was skipped because another statement of its batch failed is run again. */
  const read = async (statement: Sql): Promise<Result> => {
    try {
      return await runInBatch(client, nameOf(statement), setImmediate);
    } catch (error) {
      if (error instanceof SkippedStatement) return read(statement);
      throw error;
    }
  };
  try {
    const result = await work(queryable(read, true));
    client.release();
    return result;
  } catch (error) {
    client.release(isConnectionBroken(error));
    throw error;
  }
}

/**
 * A pool of ordinary (not pipelined) connections, for multi-statement texts and LISTEN: migrations and the job queue.
 */
export function openPlainPool(url: string, size: number, application_name: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: size, application_name, keepAlive: true });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function queryable(query: (statement: Sql) => Promise<Result>, is_pipelined: boolean): Queryable {
  return {
    is_pipelined,
    many: async <T>(statement: Sql) => (await query(statement)).rows as T[],
    maybe: async <T>(statement: Sql) => (await query(statement)).rows[0] as T | undefined,
    one: async <T>(statement: Sql) => {
      const row = (await query(statement)).rows[0] as T | undefined;
      if (row === undefined) throw new Error('a statement that always has a row had none');
      return row;
    },
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}

/**
 * Statements that may wait for other transactions, and would block those queued behind them: writes, locks, and
 * functions that do either.
 */
const changes_or_locks =
  /\b(?:insert|update|delete|merge|truncate|share|pg_advisory\w*|pg_try_advisory\w*|pg_notify|nextval|setval|graphile_worker)\b/i;

/** Statements whose text depends on their input. */
const variable = new WeakSet<Sql>();

/**
 * A statement of which a connection keeps few plans: for texts that depend on their input, and whose number is not bounded
 * by the code.
 */
export function ofVariableText(statement: Sql): Sql {
  variable.add(statement);
  return statement;
}

/** Texts whose names a process keeps: more than the service has. */
const max_texts = 5000;

/** Names statements by their text, so that each connection parses and plans a text once. */
function createStatements(): (text: string) => KnownStatement {
  const known = new Map<string, KnownStatement>();
  return (text) => {
    let statement = known.get(text);
    if (!statement) {
      const [oldest] = known.keys();
      if (known.size >= max_texts && oldest !== undefined) known.delete(oldest);
      const name = createHash('sha1').update(text).digest('base64url');
      statement = { name, is_read: /^\s*(?:select|with)\b/i.test(text) && !changes_or_locks.test(text) };
      known.set(text, statement);
    }
    return statement;
  };
}

/** Whether a statement failed because the SQL function `refuse` raised the given reason. */
export function isRefused(error: unknown, reason: string): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'AS001' && message === reason;
}

/** Whether an error is the violation of one named unique constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: string; constraint?: string };
  return code === '23505' && name === constraint;
}
