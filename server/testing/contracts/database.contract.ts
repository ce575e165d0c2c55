/** What every database that the service may run on offers, whoever started it. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../engines/ports.ts';

/** The oldest major version whose SQL the service uses. */
const oldest_version = 15;

/** Declares the suite's tests. */
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

  it('is new enough, and holds every letter', async () => {
    const [row] = await query(
      `select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding, $1::text as text`,
      ['Grüße 🌟 漢字'],
    );
    expect(row?.['version']).toBeGreaterThanOrEqual(oldest_version);
    expect([row?.['encoding'], row?.['text']]).toEqual(['UTF8', 'Grüße 🌟 漢字']);
  });

  it('lets the service make what its migrations make', async () => {
    await query(`create table ${schema}.things (id text collate "C" primary key, words text)`);
    await query(`create index on ${schema}.things using gin (words gin_trgm_ops)`).catch(async () => {
      await query('create extension if not exists pg_trgm');
      await query(`create index on ${schema}.things using gin (words gin_trgm_ops)`);
    });
    await query(`create function ${schema}.one() returns int language plpgsql as $$ begin return 1; end $$`);
    await query(`create unlogged table ${schema}.fleeting (id int)`);
  });

  it('keeps two changes apart until they commit, and wakes who listens', async () => {
    await query(`create table ${schema}.counts (n int)`);
    const [one, other] = [1, 2].map(() => new pg.Client({ connectionString: database.url })) as [pg.Client, pg.Client];
    try {
      await Promise.all([one.connect(), other.connect()]);
      const heard = new Promise<string | undefined>((resolve) => {
        other.once('notification', ({ payload }) => resolve(payload));
      });
      await other.query(`listen ${schema}`);
      await one.query('begin');
      await one.query(`insert into ${schema}.counts values (1)`);
      await one.query(`select pg_notify('${schema}', 'committed')`);
      expect((await other.query(`select * from ${schema}.counts`)).rows).toEqual([]);
      await one.query('commit');
      expect(await heard).toBe('committed');
      expect((await other.query(`select * from ${schema}.counts`)).rows).toEqual([{ n: 1 }]);
    } finally {
      await Promise.all([one.end(), other.end()]);
    }
  });
}
