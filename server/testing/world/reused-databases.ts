/**
 * Databases that are reused by the worlds of a thread, one after the other. Copying a database, opening connections and
 * planning every statement again takes longer than most tests; restoring the rows that a world has written takes a few
 * milliseconds.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { openQueue } from '../../app/jobs/jobs.ts';
import { openPool, type Pool } from '../../kernel/database/database.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { readRows, restoreRows, type StoredRows } from './stored-rows.ts';
import { databaseUrl } from './template.ts';

export type ReusedDatabase = { name: string; db: Pool; queue: pg.Pool; fresh: Fresh };

/** The content of a new copy of the template. */
type Fresh = { rows: StoredRows; sequences: Sequence[]; schema: string };
type Sequence = { name: string; value: string; is_called: boolean };

/** Idle databases are not checked each second. */
const day_ms = 86_400_000;

/** More would take connections from the worlds of other threads, and few files have more worlds at once. */
const max_idle = 2;

/** Databases of this thread that no world uses now. */
const idle_databases: ReusedDatabase[] = [];
let fresh: Fresh | undefined;

/** A database with the personas and nothing else. @param copy creates one of the given name */
export async function acquireDatabase(
  server_url: string,
  copy: (name: string) => Promise<void>,
): Promise<ReusedDatabase> {
  const reused = idle_databases.pop();
  if (reused) return reused;
  const name = `world_${randomUUID().replaceAll('-', '')}`;
  await copy(name);
  const url = databaseUrl(server_url, name);
  const queue = openQueue(url);
  fresh ??= await readFresh(queue);
  return { name, db: openPool(url, 6, { ...default_limits, database_watch_ms: day_ms }), queue, fresh };
}

/** Connections that end for their world alone: what still runs afterwards is rejected, as by ended connections. */
export function worldConnections({ db, queue }: ReusedDatabase): { db: Pool; queue: pg.Pool } {
  let is_ended = false;
  const end = async () => void (is_ended = true);
  const rejectAfterEnd =
    <A extends unknown[], R>(run: (...args: A) => R) =>
    (...args: A): R => {
      if (is_ended) throw new Error('Cannot use a pool after calling end on the pool');
      return run(...args);
    };
  const wrap = (pool: pg.Pool): pg.Pool =>
    Object.create(pool, {
      query: { value: rejectAfterEnd(pool.query.bind(pool) as (...args: unknown[]) => unknown) },
      connect: { value: rejectAfterEnd(pool.connect.bind(pool) as (...args: unknown[]) => unknown) },
      end: { value: end },
    }) as pg.Pool;
  const { many, maybe, one, run, transaction, together, native } = db;
  return {
    db: {
      ...db,
      many: rejectAfterEnd(many),
      maybe: rejectAfterEnd(maybe),
      one: rejectAfterEnd(one),
      run: rejectAfterEnd(run),
      transaction: rejectAfterEnd(transaction),
      together: rejectAfterEnd(together),
      native: wrap(native),
      close: end,
    } as Pool,
    queue: wrap(queue),
  };
}

/** Stores a database for the next world, or discards it when it may differ from a new one. */
export async function releaseDatabase(database: ReusedDatabase): Promise<void> {
  const is_fresh = idle_databases.length < max_idle && (await restore(database).catch(() => false));
  if (is_fresh) idle_databases.push(database);
  else await discardDatabase(database);
}

/** Closes the connections; the database is deleted with its server. */
export async function discardDatabase({ db, queue }: ReusedDatabase): Promise<void> {
  await Promise.allSettled([db.close(), queue.end()]);
}

/** Restores a database; false when something still runs in it, or has changed more than rows. */
async function restore({ db, queue, fresh: { rows, sequences, schema } }: ReusedDatabase): Promise<boolean> {
  const { total, idle } = db.state();
  if (total !== idle || queue.totalCount !== queue.idleCount) return false;
  const client = await queue.connect();
  try {
    const state = await client.query<State>({ name: 'state', text: state_text });
    if (state.rows[0]?.schema !== schema || state.rows[0].connections > total + queue.totalCount) return false;
    await restoreRows(client, rows);
    await client.query({
      name: 'sequences',
      text: 'select setval(name::regclass, value, is_called) from unnest($1::text[], $2::bigint[], $3::bool[]) as s(name, value, is_called)',
      values: [
        sequences.map(({ name }) => name),
        sequences.map(({ value }) => value),
        sequences.map(({ is_called }) => is_called),
      ],
    });
    return true;
  } finally {
    client.release();
  }
}

type State = { schema: string; connections: number };

/**
 * The number of connections, and values that change with every table, column, constraint and trigger that is created or
 * dropped, and with statistics of the planner, from which common words are read.
 */
const state_text = `
  select concat_ws(' ',
    (select concat_ws(' ', count(*), max(oid)) from pg_class),
    (select concat_ws(' ', count(*), max(oid)) from pg_constraint),
    (select concat_ws(' ', count(*), max(oid)) from pg_trigger),
    (select count(*) from pg_attribute where attrelid >= 16384 and not attisdropped),
    (select count(*) from pg_statistic where starelid >= 16384)) as schema,
    (select count(*)::int from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend') as connections`;

async function readFresh(pool: pg.Pool): Promise<Fresh> {
  const { rows: names } = await pool.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
    where relkind = 'S' and oid::regclass::text <> 'graphile_worker.tasks_id_seq'`);
  const sequences = names.map(async ({ name }) => {
    const { rows } = await pool.query<Sequence>(
      `select '${name}' as name, last_value as value, is_called from ${name}`,
    );
    return rows;
  });
  const { rows: states } = await pool.query<State>(state_text);
  return {
    rows: await readRows(pool),
    sequences: (await Promise.all(sequences)).flat(),
    schema: states[0]?.schema ?? '',
  };
}
