import { Socket } from 'node:net';
import { afterEach, expect, inject, it, vi } from 'vitest';
import { openPool, sql } from './database.ts';

afterEach(() => vi.restoreAllMocks());

it('sends statements that are read together in one write, and those that wait for an answer after it', async () => {
  const pool = openPool(inject('database_url'), 1);
  // The connection is there, and both texts are known to it.
  await pool.together((db) => Promise.all([db.one(sql`select ${1}::int as a`), db.one(sql`select ${1}::int as b`)]));
  const writes = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev' as '_write')];
  const count = () => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  const both = await pool.together(async (db) => {
    const first = db.one<{ a: number }>(sql`select ${2}::int as a`);
    // As what reads a part does, which may take a few turns of promises first.
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
