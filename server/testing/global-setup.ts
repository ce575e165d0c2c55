/** One embedded database for the whole run; each world gets a fresh copy of a migrated template. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrations_dir } from '../app/app.ts';
import { startEmbeddedDatabase } from '../engines/database.embedded.ts';
import { connectDatabase } from '../engines/database.server.ts';
import { migrate } from '../kernel/migrate.ts';
import { databaseUrl, template_name } from './template.ts';

/** Starts the server, or uses the one that DATABASE_TEST_URL names, and makes the template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['DATABASE_TEST_URL'];
  const data_dir = mkdtempSync(join(tmpdir(), 'asterism-test-'));
  const database = given
    ? await connectDatabase(given)
    : await startEmbeddedDatabase({ data_dir, log: () => undefined });
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`drop database if exists ${template_name} with (force)`);
  await admin.query(`create database ${template_name} encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0`);
  await migrate(databaseUrl(database.url, template_name), migrations_dir);
  await admin.end();
  project.provide('database_url', database.url);
  return async () => {
    await database.close();
    rmSync(data_dir, { recursive: true, force: true });
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    database_url: string;
  }
}
