import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openPool, sql, type Pool, type Queryable } from './database.ts';

/** The protocol messages that `work` sends, by their first bytes. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  const write = vi.spyOn(Socket.prototype, '_write');
  const writes = vi.spyOn(Socket.prototype, '_writev' as '_write');
  try {
    await work();
    const calls = writes.mock.calls as unknown as [{ chunk: Buffer }[] | Buffer[]][];
    const firstOf = (written: { chunk: Buffer } | Buffer) => ('chunk' in written ? written.chunk : written)[0] ?? 0;
    expect(write.mock.calls).toEqual([]);
    return calls.map(([chunks]) => String.fromCharCode(...chunks.map(firstOf)));
  } finally {
    write.mockRestore();
    writes.mockRestore();
  }
}

describe('statement batches', () => {
  let pool: Pool;
  // A new one for each test: which connections are open, and what is prepared on them, decides what is sent.
  beforeEach(() => {
    pool = openPool(inject('database_url'), 4);
  });
  afterEach(() => pool.close());

  const half = (db: Queryable, of: number) => db.one<{ half: number }>(sql`select ${of}::int / 2 as half`);
  /** Fails for 0; the statement is prepared once per connection. */
  const divide = (db: Queryable, by: number) => db.one<{ part: number }>(sql`select 12 / ${by}::int as part`);

  it('are sent in one write with one Sync, also for different callers of a connection', async () => {
    // The first read opens the shared connection.
    await half(pool, 2);
    await expect.poll(() => pool.state().idle).toBe(2);
    const both = () => Promise.all([half(pool, 10), half(pool, 20), half(pool, 30)]);
    expect(await both()).toEqual([{ half: 5 }, { half: 10 }, { half: 15 }]);
    expect(await sentBy(both)).toEqual(['BEBEBES']);
    await pool.together((db) => half(db, 2));
    const together = () => pool.together((db) => Promise.all([half(db, 10), half(db, 20)]));
    expect((await sentBy(together)).at(-1)).toBe('BEBES');
  });

  it('include begin and commit of a transaction', async () => {
    const change = () =>
      pool.transaction(
        async (tx) => half(tx, 8),
        async (tx) => half(tx, 6),
      );
    await change();
    expect(await sentBy(change)).toEqual(['BEBES', 'BEBES']);
  });

  it('need neither begin nor commit when the transaction is a single batch', async () => {
    const change = () =>
      pool.transaction(
        async (tx) => void tx.run(sql`create temporary table if not exists single (id int) on commit drop`),
        async (tx) => Promise.all([tx.run(sql`select pg_advisory_xact_lock(1)`), half(tx, 6)]),
      );
    await change();
    expect(await sentBy(change)).toEqual(['BEBEBES']);
    expect(await pool.one(sql`select to_regclass('pg_temp.single') is null as gone`)).toEqual({ gone: true });
    expect(
      await pool.one(sql`select count(*)::int as count from pg_locks where locktype = 'advisory'
      and pid in (select pid from pg_stat_activity where datname = current_database()) and objid = 1`),
    ).toEqual({ count: 0 });
  });

  it('are rolled back together when a single batch fails, even at its commit', async () => {
    await pool.run(
      sql`create table if not exists whole (id int constraint whole_one unique deferrable initially deferred)`,
    );
    try {
      const insert = (id: number, by: number) =>
        pool.transaction(
          async () => undefined,
          async (tx) => Promise.all([tx.run(sql`insert into whole values (${id})`), divide(tx, by)]),
        );
      await insert(1, 1);
      await expect(insert(2, 0)).rejects.toMatchObject({ code: '22012' });
      await expect(insert(1, 1)).rejects.toMatchObject({ code: '23505', constraint: 'whole_one' });
      await insert(3, 1);
      expect(await pool.many(sql`select id from whole order by id`)).toEqual([{ id: 1 }, { id: 3 }]);
    } finally {
      await pool.run(sql`drop table whole`);
    }
  });

  it('return the results of the others when one fails, also on first use', async () => {
    for (const shared of [pool, undefined]) {
      const read = (db: Queryable) =>
        Promise.allSettled([
          half(db, 10),
          divide(db, 0),
          db.one(sql`select ${'later'}::text as word, ${shared ? 1 : 2}::int as run`),
          divide(db, 3),
        ]);
      const found = await (shared ? read(shared) : pool.together(read));
      expect(found).toMatchObject([
        { value: { half: 5 } },
        { reason: { code: '22012' } },
        { value: { word: 'later' } },
        { value: { part: 4 } },
      ]);
    }
  });

  it('are rolled back together in a transaction, without effect on the connection', async () => {
    const failing = pool.transaction(async (tx) => {
      const all = await Promise.allSettled([
        tx.run(sql`create temporary table undone (id int)`),
        divide(tx, 0),
        tx.one(sql`select ${'never seen'}::text as word`),
      ]);
      expect(all).toMatchObject([
        { status: 'fulfilled' },
        { reason: { code: '22012' } },
        { reason: { code: '22012' } },
      ]);
      throw new Error('undo it');
    });
    await expect(failing).rejects.toThrow('undo it');
    await expect(
      pool.transaction(
        async (tx) => divide(tx, 1),
        async (tx) => divide(tx, 0),
      ),
    ).rejects.toMatchObject({ code: '22012' });
    const reads = Array.from({ length: 8 }, () => pool.one(sql`select to_regclass('pg_temp.undone') is null as gone`));
    expect(new Set((await Promise.all(reads)).map((row) => JSON.stringify(row)))).toEqual(new Set(['{"gone":true}']));
    expect(await pool.transaction((tx) => tx.one(sql`select ${'never seen'}::text as word`))).toEqual({
      word: 'never seen',
    });
  });

  it('are split into several batches when there are many', async () => {
    const many = () => pool.together((db) => Promise.all(Array.from({ length: 70 }, (_, at) => half(db, at * 2))));
    await pool.together((db) => half(db, 2));
    const sent = await sentBy(async () =>
      expect(await many()).toEqual(Array.from({ length: 70 }, (_, at) => ({ half: at }))),
    );
    expect(sent.join('').replaceAll(/[^S]/g, '')).toBe('SSS');
  });

  it('fail when there is no connection', async () => {
    const nowhere = openPool('postgresql://127.0.0.1:1/nowhere', 1);
    await expect(half(nowhere, 2)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(nowhere.run(sql`delete from nothing`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await nowhere.close();
  });
});
