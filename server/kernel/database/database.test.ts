import { Socket } from 'node:net';
import { afterEach, expect, inject, it, vi } from 'vitest';
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
