/** Migrations: numbered SQL files, each run once, in order, under a lock. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Logger, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { openPlainPool } from './database.ts';

/**
 * Brings the database and the job queue to the newest schema version. Safe when two processes start at once.
 * @param pool plain: a migration is many statements in one text, which a pipelined connection cannot run
 * @throws when a migration fails, which is rolled back and named by the error; when a newer release has migrated the database
 */
export async function migrate(pool: pg.Pool, folder: string): Promise<void> {
  await migrateQueue(pool);
  await migrateTables(pool, folder);
}

/** Migrates over separate connections. @throws as `migrate` */
export async function migrateAt(url: string, folder: string): Promise<void> {
  const pool = openPlainPool(url, 2, 'asterism migrations');
  try {
    await migrate(pool, folder);
  } finally {
    await pool.end();
  }
}

async function migrateQueue(pool: pg.Pool): Promise<void> {
  const log = new Logger(() => () => undefined);
  await runMigrations({ pgPool: pool, logger: log });
}

async function migrateTables(pool: pg.Pool, folder: string): Promise<void> {
  const wanted = await listMigrations(folder);
  const done = await renameMerged(pool, await listDone(pool), wanted);
  const unknown = done.filter((name) => !wanted.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `The database was migrated by a newer release (${unknown.join(', ')}). Start that release, or restore a backup from before.`,
    );
  // Nearly every start finds the database up to date, and then avoids the 12 MB of memory that the migrator needs.
  if (done.length === wanted.length) return;
  const { Kysely: Database, PostgresDialect, sql } = await import('kysely');
  const { Migrator } = await import('kysely/migration');
  const up = (text: string) => async (db: Kysely<unknown>) => {
    await sql.raw(text).execute(db);
  };
  const db = new Database<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations(folder, up) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) {
    const failed = results?.find((one) => one.status === 'Error')?.migrationName ?? 'unknown';
    throw new Error(`migration ${failed} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** The migrations that have run, as file names. */
async function listDone(pool: pg.Pool): Promise<string[]> {
  const known = await pool.query<{ is_there: boolean }>(
    `select to_regclass('kysely_migration') is not null as is_there`,
  );
  if (!known.rows[0]?.is_there) return [];
  const { rows } = await pool.query<{ name: string }>('select name from kysely_migration');
  return rows.map(({ name }) => `${name}.sql`);
}

/**
 * The migrations of development up to `last_before_merge` were merged into one file for each subject, up to
 * `last_merged`. A database that has run all of them has the schema of the merged files, and continues with their names.
 */
const last_before_merge = '0052-references.sql';
const last_merged = '0037-realtime.sql';

async function renameMerged(pool: pg.Pool, done: string[], wanted: string[]): Promise<string[]> {
  if (!done.includes(last_before_merge) || wanted.includes(last_before_merge)) return done;
  const merged = wanted.filter((name) => name <= last_merged);
  // One timestamp, since the migrator expects the order of names.
  await pool.query(
    `with former as (delete from kysely_migration where name <> all($1::text[]))
     insert into kysely_migration (name, timestamp) select name, now()::text from unnest($1::text[]) name
     on conflict (name) do update set timestamp = excluded.timestamp`,
    [merged.map((name) => name.slice(0, -4))],
  );
  return merged;
}

async function listMigrations(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

async function readMigrations(
  folder: string,
  up: (text: string) => Migration['up'],
): Promise<Record<string, Migration>> {
  const names = await listMigrations(folder);
  const entries = names.map(async (name): Promise<[string, Migration]> => {
    return [name.slice(0, -4), { up: up(await readFile(join(folder, name), 'utf8')) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}
