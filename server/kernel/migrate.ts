/** Migrations: numbered SQL files, run in their order under a lock, each once. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { Logger, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { openPlainPool } from './database.ts';

/**
 * Brings the database to the newest level, that of the job queue too. Two starters at once are safe.
 * @throws when a migration fails; its transaction is rolled back and names the file
 */
export async function migrate(url: string, folder: string): Promise<void> {
  // A pool of its own: migrations are many statements in one text, which a pipelined connection does not take.
  const pool = openPlainPool(url, 2, 'asterism migrations');
  try {
    await migrateQueue(pool);
    await migrateTables(pool, folder);
  } finally {
    await pool.end();
  }
}

async function migrateQueue(pool: pg.Pool): Promise<void> {
  const log = new Logger(() => () => undefined);
  await runMigrations({ pgPool: pool, logger: log });
}

async function migrateTables(pool: pg.Pool, folder: string): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations(folder) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) {
    const failed = results?.find((one) => one.status === 'Error')?.migrationName ?? 'unknown';
    throw new Error(`migration ${failed} failed: ${(error as Error).message}`, { cause: error });
  }
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const entries = names.map((name): [string, Migration] => [
    name.slice(0, -4),
    {
      up: async (db) => {
        await sql.raw(await readFile(join(folder, name), 'utf8')).execute(db);
      },
    },
  ]);
  return Object.fromEntries(entries);
}
