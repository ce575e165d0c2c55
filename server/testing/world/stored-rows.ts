/** The rows of a world's database at one time, to restore it. */
import type pg from 'pg';

export type StoredRows = {
  /** Every table that a test may change. */
  tables: string[];
  /** The rows of those that have any, each table as one text. */
  filled: { name: string; columns: string; rows: string }[];
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

export async function readRows(pool: pg.Pool): Promise<StoredRows> {
  const { rows: tables } = await pool.query<{ name: string; columns: string }>(changed_tables);
  const names = tables.map(({ name }) => name);
  const written = await selectWritten(pool, names);
  const filled = tables
    .filter(({ name }) => written.includes(name))
    .map(async ({ name, columns }) => {
      const { rows } = await pool.query<{ rows: string }>(`select array_agg(t)::text as rows from ${name} t`);
      return { name, columns, rows: rows[0]?.rows ?? '{}' };
    });
  return { tables: names, filled: await Promise.all(filled) };
}

/** Restores every table, in one transaction: a table that has no rows and had none costs nothing. */
export async function restoreRows(client: pg.PoolClient, { tables, filled }: StoredRows): Promise<void> {
  await client.query('begin');
  try {
    // The rows are consistent already: neither triggers nor foreign keys need to check them again.
    await client.query('set local session_replication_role = replica');
    for (const name of await selectWritten(client, tables))
      await client.query({ name: `empty ${name}`, text: `delete from ${name}` });
    for (const { name, columns, rows } of filled)
      await client.query({
        name: `fill ${name}`,
        text: `insert into ${name} (${columns}) overriding system value select ${columns} from unnest($1::${name}[])`,
        values: [rows],
      });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function selectWritten(db: pg.Pool | pg.PoolClient, tables: string[]): Promise<string[]> {
  const cases = tables.map((name) => `case when exists (select from ${name}) then '${name}' end`);
  const text = `select array_remove(array[${cases.join()}], null) as written`;
  const { rows } = await (db as pg.Pool).query<{ written: string[] }>({ name: 'written tables', text });
  return rows[0]?.written ?? [];
}
