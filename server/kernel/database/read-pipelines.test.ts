import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openPool, sql } from './database.ts';
import { createReadPipelines, type Slot } from './read-pipelines.ts';

describe('reads that share connections', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** A pool whose connections are all there, and tells which were given back. */
  function createPool() {
    const given_back: unknown[][] = [];
    let made = 0;
    const connect = async () => {
      const number = (made += 1);
      const stream = { writableCorked: 0, cork: vi.fn(), uncork: vi.fn() };
      const client = Object.assign(new EventEmitter(), {
        number,
        connection: { stream },
        release: (is_broken = false) => given_back.push([number, is_broken]),
      });
      return client as unknown as pg.PoolClient;
    };
    return { pool: { connect } as unknown as pg.Pool, given_back };
  }
  const numberOf = (slot: Slot | undefined) => (slot?.client as unknown as { number: number } | undefined)?.number;
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  async function openAll(pool: pg.Pool, count: number) {
    const pipelines = createReadPipelines(pool, count);
    const slots: (Slot | undefined)[] = [];
    for (let at = 0; at <= count; at++) {
      slots.push(pipelines.acquire());
      await settled();
    }
    for (const slot of slots) slot?.release(false);
    return pipelines;
  }

  it('open one after the other, as all others are busy', async () => {
    const { pool } = createPool();
    const pipelines = createReadPipelines(pool, 2);
    expect(pipelines.acquire()).toBeUndefined();
    await settled();
    const first = pipelines.acquire();
    first?.release(false);
    expect([numberOf(first), pipelines.idle()]).toEqual([1, 1]);
    expect(numberOf(pipelines.acquire())).toBe(1);
    // It travels on the one that is open, while another is opened.
    expect(numberOf(pipelines.acquire())).toBe(1);
    await settled();
    expect(numberOf(pipelines.acquire())).toBe(2);
  });

  it('go where the least is under way, and nowhere once all are full', async () => {
    const { pool } = createPool();
    const pipelines = await openAll(pool, 2);
    const slots = Array.from({ length: 40 }, () => pipelines.acquire());
    expect(slots.slice(0, 4).map(numberOf)).toEqual([1, 2, 1, 2]);
    expect(slots.filter(Boolean)).toHaveLength(32);
    slots[1]?.release(false);
    expect(numberOf(pipelines.acquire())).toBe(2);
  });

  it('pass by what is slow, until it was answered', async () => {
    const { pool } = createPool();
    const pipelines = await openAll(pool, 2);
    const slow = pipelines.acquire();
    vi.advanceTimersByTime(25);
    expect([pipelines.acquire(), pipelines.acquire()].map(numberOf)).toEqual([2, 2]);
    vi.advanceTimersByTime(25);
    expect(pipelines.acquire()).toBeUndefined();
    slow?.release(false);
    expect(numberOf(pipelines.acquire())).toBe(1);
  });

  it('leave a connection that breaks, and each is given back once', async () => {
    const { pool, given_back } = createPool();
    const pipelines = await openAll(pool, 1);
    const [one, two] = [pipelines.acquire(), pipelines.acquire()];
    one?.client.emit('error', new Error('gone'));
    one?.release(true);
    two?.release(true);
    expect(given_back).toEqual([[1, true]]);
    expect(pipelines.acquire()).toBeUndefined();
    await settled();
    expect(numberOf(pipelines.acquire())).toBe(2);
  });

  it('are closed once what is under way was answered', async () => {
    const { pool, given_back } = createPool();
    const pipelines = await openAll(pool, 2);
    const slot = pipelines.acquire();
    pipelines.close();
    expect([given_back, pipelines.acquire()]).toEqual([[[2, false]], undefined]);
    slot?.release(false);
    expect(given_back).toEqual([
      [2, false],
      [1, false],
    ]);
  });
});

describe('a pool', () => {
  it('answers reads on few connections, beside transactions that hold all others', async () => {
    const pool = openPool(inject('database_url'), 4);
    const read = () => pool.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await read();
    await expect.poll(() => pool.state().idle).toBe(2);
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const changes = Array.from({ length: 3 }, () => pool.transaction(() => held));
    const pids = new Set((await Promise.all(Array.from({ length: 12 }, read))).map(({ pid }) => pid));
    expect(pids.size).toBe(1);
    release?.();
    await Promise.all(changes);
    await pool.close();
  });

  it('sends nothing that changes or locks among the reads', async () => {
    const pool = openPool(inject('database_url'), 4);
    const pidOf = async (statement: ReturnType<typeof sql>) => (await pool.one<{ pid: number }>(statement)).pid;
    const reader = () => pidOf(sql`select pg_backend_pid() as pid`);
    await reader();
    await expect.poll(() => pool.state().idle).toBe(2);
    const shared = await reader();
    expect(await reader()).toBe(shared);
    for (const other of [
      sql`select pg_backend_pid() as pid, pg_advisory_xact_lock(${77_001}::bigint)`,
      sql`select pg_backend_pid() as pid from (select 1 from pg_am limit 1 for share) held`,
    ])
      expect(await pidOf(other)).not.toBe(shared);
    await pool.close();
  });
});
