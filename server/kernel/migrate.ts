/** Migrations: numbered SQL files, run in their order under a lock, each once. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';

/**
 * Brings the database to the newest level, that of the job queue too. Two starters at once are safe.
 * @throws when a migration fails; its transaction is rolled back and names the file
 */
export async function migrate(pool: pg.Pool, folder: string): Promise<void> {
  await runMigrations({ pgPool: pool });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations(folder) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) {
    const failed = results?.find((one) => one.status === 'Error')?.migrationName ?? 'unknown';
    throw new Error(`migration ${failed} failed`, { cause: error });
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
