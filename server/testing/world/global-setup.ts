/** One embedded database for the whole run; each world gets a fresh copy of a migrated template. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrations_dir } from '../../app/app.ts';
import { startEmbeddedDatabase } from '../../engines/database/embedded.ts';
import { connectDatabase } from '../../engines/database/server.ts';
import { migrateAt } from '../../kernel/database/migrate.ts';
import { fastFolder } from './fast-folder.ts';
import { registerPersonas, type Personas } from './personas.ts';
import { seedOf, usual_seed } from '../../../testing/seed.ts';
import { databaseUrl, peopled_name, template_name } from './template.ts';
import { openWorld } from './world.ts';

/** Starts the server, or uses the one in DATABASE_TEST_URL, and creates the template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.stderr.write(`Random tests run with ${seedOf(usual_seed).label} (SEED=random draws one).\n`);
  const given = process.env['DATABASE_TEST_URL'];
  const data_dir = mkdtempSync(join(fastFolder(), 'asterism-test-'));
  const database = given
    ? await connectDatabase(given)
    : await startEmbeddedDatabase({ data_dir, log: () => undefined });
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  if (!given) await disableDurability(admin);
  await admin.query(`drop database if exists ${template_name} with (force)`);
  await admin.query(`create database ${template_name} encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0`);
  await migrateAt(databaseUrl(database.url, template_name), migrations_dir);
  await admin.query(`drop database if exists ${peopled_name} with (force)`);
  await admin.query(`create database ${peopled_name} template ${template_name}`);
  await admin.end();
  const world = await openWorld(database.url, peopled_name);
  project.provide('personas', await registerPersonas(world));
  await world.close();
  project.provide('database_url', database.url);
  return async () => {
    await database.close();
    rmSync(data_dir, { recursive: true, force: true });
  };
}

/** A server that exists for one run need not survive a crash: nothing waits for the disk. */
async function disableDurability(admin: pg.Client): Promise<void> {
  // Each of its databases would be vacuumed once a minute.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
    await admin.query(`alter system set ${setting} = off`);
  await admin.query('select pg_reload_conf()');
}

declare module 'vitest' {
  export interface ProvidedContext {
    database_url: string;
    personas: Personas;
  }
}
