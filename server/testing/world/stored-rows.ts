/** The rows of a world's database at one time, to restore it. */
import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A table that a test may change, with its columns that can be written. */
export type Table = { name: string; columns: string };

export type StoredRows = {
  tables: Table[];
  /** The rows of each table as one text, in the order of the tables; null where there are none. */
  rows: (string | null)[];
  /** Hashes of the same texts. */
  hashes: (string | null)[];
};

/** The job runner caches its kinds of jobs by their rows, which are therefore excluded. */
const changed_tables = `
  select c.oid::regclass::text as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and (n.nspname = 'public' and c.relname not like 'kysely\\_%'
    or n.nspname = 'graphile_worker' and c.relname in ('_private_jobs', '_private_job_queues'))
  order by 1`;

/** The tables of labels that nodes cache, and of the changes that they read. */
const with_labels = new Set(['users', 'tags', 'label_changes']);

/**
 * Makes every node read all labels again, as after the deletion of old changes (domain/accounts/label-changes.ts): the
 * triggers that note changes do not run while rows are restored.
 */
const forget_labels = `update label_changes set xid = pg_current_xact_id() where subject_id = '*';`;

/** Reads the rows of every table. @param tables those that an earlier read has found, which saves finding them again */
export async function readRows(pool: pg.Pool, tables?: Table[]): Promise<StoredRows> {
  const found = tables ?? (await pool.query<Table>(changed_tables)).rows;
  const rows = await selectFromEach(pool, found, 'array_agg(t)::text');
  const hashes = rows.map((text) => (text === null ? null : hash(text)));
  return { tables: found, rows, hashes };
}

/**
 * Restores every table whose rows have changed. They are found by one statement and restored by another, in one
 * transaction: a statement for each table takes longer than most tests.
 */
export async function restoreRows(client: pg.PoolClient, { tables, rows, hashes }: StoredRows): Promise<void> {
  const current = await selectFromEach(client, tables, 'md5(array_agg(t)::text)');
  const changed = tables
    .map(({ name, columns }, at) => ({ name, columns, text: rows[at] ?? null, before: hashes[at], now: current[at] }))
    .filter(({ before, now }) => before !== now);
  if (changed.length === 0) return;
  const emptied = changed.filter(({ now }) => now !== null).map(({ name }) => `delete from ${name};`);
  const filled = changed.map(({ name, columns, text }) =>
    text === null
      ? ''
      : `insert into ${name} (${columns}) overriding system value
         select ${columns} from unnest(${quote(text)}::${name}[]);`,
  );
  // The rows are consistent already: neither triggers nor foreign keys need to check them again.
  const body = `begin
    set local session_replication_role = replica;
    ${emptied.join('\n')}
    ${filled.join('\n')}
    ${changed.some(({ name }) => with_labels.has(name)) ? forget_labels : ''}
  end`;
  await client.query(`do ${quote(body)}`);
}

const hash = (text: string) => createHash('md5').update(text).digest('hex');

/** A literal of SQL, whatever its backslashes. */
const quote = (text: string) => `e'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** An aggregate of each table's rows `t`, by one statement. */
async function selectFromEach(
  db: pg.Pool | pg.PoolClient,
  tables: Table[],
  aggregate: string,
): Promise<(string | null)[]> {
  const text = `select ${tables.map((table) => `(select ${aggregate} from ${table.name} t)`).join()}`;
  const name = hash(text);
  const { rows } = await (db as pg.Pool).query<(string | null)[]>({ name, text, rowMode: 'array' });
  return rows[0] ?? [];
}
