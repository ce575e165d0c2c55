/** What every database must provide, embedded or external. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../engines/ports.ts';

/** The oldest major version whose SQL the service uses. */
const oldest_version = 15;

/** Declares the suite's tests. @param open connects to a database, which may contain other schemas */
export function testDatabase(open: () => Promise<{ database: Database; close(): Promise<void> }>): void {
  let database: Database;
  let close: () => Promise<void>;
  const schema = `contract_${randomUUID().replaceAll('-', '')}`;
  beforeAll(async () => {
    ({ database, close } = await open());
    await query(`create schema ${schema}`);
  });
  afterAll(async () => {
    await query(`drop schema ${schema} cascade`);
    await database.close();
    await close();
  });

  async function query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query(text, values)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  }

  it('has a supported version, and stores all of Unicode', async () => {
    const [row] = await query(
      `select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding, $1::text as text`,
      ['Grüße 🌟 漢字'],
    );
    expect(row?.['version']).toBeGreaterThanOrEqual(oldest_version);
    expect([row?.['encoding'], row?.['text']]).toEqual(['UTF8', 'Grüße 🌟 漢字']);
  });

  it('permits the objects that migrations create', async () => {
    await query(`create table ${schema}.things (id text collate "C" primary key, words text)`);
    await query(`create index on ${schema}.things using gin (words gin_trgm_ops)`).catch(async () => {
      await query('create extension if not exists pg_trgm');
      await query(`create index on ${schema}.things using gin (words gin_trgm_ops)`);
    });
    await query(`create function ${schema}.one() returns int language plpgsql as $$ begin return 1; end $$`);
    await query(`create unlogged table ${schema}.fleeting (id int)`);
  });

  it('isolates two transactions until they commit, and notifies listeners', async () => {
    await query(`create table ${schema}.counts (n int)`);
    const [writer, reader] = [1, 2].map(() => new pg.Client({ connectionString: database.url })) as [
      pg.Client,
      pg.Client,
    ];
    try {
      await Promise.all([writer.connect(), reader.connect()]);
      const notification = new Promise<string | undefined>((resolve) => {
        reader.once('notification', ({ payload }) => resolve(payload));
      });
      await reader.query(`listen ${schema}`);
      await writer.query('begin');
      await writer.query(`insert into ${schema}.counts values (1)`);
      await writer.query(`select pg_notify('${schema}', 'committed')`);
      expect((await reader.query(`select * from ${schema}.counts`)).rows).toEqual([]);
      await writer.query('commit');
      expect(await notification).toBe('committed');
      expect((await reader.query(`select * from ${schema}.counts`)).rows).toEqual([{ n: 1 }]);
    } finally {
      await Promise.all([writer.end(), reader.end()]);
    }
  });
}
