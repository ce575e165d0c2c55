import { Socket } from 'node:net';
import { afterEach, expect, inject, it, vi } from 'vitest';
import { default_limits } from '../load/limits.ts';
import { openPool, sql } from './database.ts';

afterEach(() => vi.restoreAllMocks());

it('sends statements of one turn in one write, and those that depend on a result after it', async () => {
  const pool = openPool(inject('database_url'), 1);
  // Opens the connection and prepares both statements on it.
  await pool.together((db) => Promise.all([db.one(sql`select ${1}::int as a`), db.one(sql`select ${1}::int as b`)]));
  const writes = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev' as '_write')];
  const count = () => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  const both = await pool.together(async (db) => {
    const first = db.one<{ a: number }>(sql`select ${2}::int as a`);
    // A reader may take a few microtasks before it sends its statement.
    await Promise.resolve();
    const second = db.one<{ b: number }>(sql`select ${3}::int as b`);
    return Promise.all([first, second]);
  });
  expect(both).toEqual([{ a: 2 }, { b: 3 }]);
  expect(count()).toBe(1);
  const after = await pool.together(async (db) => {
    const { a } = await db.one<{ a: number }>(sql`select ${4}::int as a`);
    return db.one<{ b: number }>(sql`select ${a + 1}::int as b`);
  });
  expect(after).toEqual({ b: 5 });
  expect(count()).toBe(3);
  await pool.close();
});

it('is behind while as many transactions wait for a connection as there are connections', async () => {
  const pool = openPool(inject('database_url'), 2);
  const end = Promise.withResolvers<void>();
  const hold = () =>
    pool.transaction(async (db) => {
      await db.one(sql`select 1 as one`);
      await end.promise;
    });
  const held = [hold(), hold(), hold()];
  await vi.waitFor(() => expect(pool.state()).toEqual({ total: 2, idle: 0, waiting: 1 }));
  expect(pool.isBehind()).toBe(false);
  held.push(hold());
  await vi.waitFor(() => expect(pool.state().waiting).toBe(2));
  expect(pool.isBehind()).toBe(true);
  end.resolve();
  await Promise.all(held);
  expect(pool.isBehind()).toBe(false);
  await pool.close();
});

it('ends a transaction that sends nothing for too long, and continues with another connection', async () => {
  const pool = openPool(inject('database_url'), 1, { ...default_limits, database_idle_ms: 100 });
  const other = openPool(inject('database_url'), 1);
  const idle = pool.transaction(async (db) => {
    const { pid } = await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid, pg_current_xact_id()::text`);
    await vi.waitFor(async () => {
      const { rows } = await other.native.query('select 1 from pg_stat_activity where pid = $1', [pid]);
      expect(rows).toEqual([]);
    });
    return db.one(sql`select 1 as still`);
  });
  await expect(idle).rejects.toThrow(/idle-in-transaction|not queryable|terminated/);
  expect(await pool.one(sql`select 2 as two`)).toEqual({ two: 2 });
  await pool.close();
  await other.close();
});

it('rolls back a transaction whose work fails before its statements are sent, of which one fails too', async () => {
  const pool = openPool(inject('database_url'), 1);
  const failing = pool.transaction(async (db) => {
    void db.run(sql`select 1 / ${0}::int`).catch(() => undefined);
    throw new Error('the work has failed');
  });
  await expect(failing).rejects.toThrow('the work has failed');
  // The connection is free for others, and in no transaction.
  expect(await pool.one(sql`select 2 as two`)).toEqual({ two: 2 });
  expect((await pool.native.query('select 3 as three')).rows).toEqual([{ three: 3 }]);
  await pool.close();
});
