import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openPool, sql } from './database.ts';
import { createReadPipelines, type Slot } from './read-pipelines.ts';

describe('read pipelines', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** A pool that connects at once and records which connections were released. */
  function createPool() {
    const released: unknown[][] = [];
    let created = 0;
    const connect = async () => {
      const number = (created += 1);
      const stream = { writableCorked: 0, cork: vi.fn(), uncork: vi.fn() };
      const client = Object.assign(new EventEmitter(), {
        number,
        connection: { stream },
        release: (is_broken = false) => released.push([number, is_broken]),
      });
      return client as unknown as pg.PoolClient;
    };
    return { pool: { connect } as unknown as pg.Pool, released };
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

  it('open one after the other while all others are busy', async () => {
    const { pool } = createPool();
    const pipelines = createReadPipelines(pool, 2);
    expect(pipelines.acquire()).toBeUndefined();
    await settled();
    const first = pipelines.acquire();
    first?.release(false);
    expect([numberOf(first), pipelines.idle()]).toEqual([1, 1]);
    expect(numberOf(pipelines.acquire())).toBe(1);
    // The read uses the open connection while another is being opened.
    expect(numberOf(pipelines.acquire())).toBe(1);
    await settled();
    expect(numberOf(pipelines.acquire())).toBe(2);
  });

  it('choose the least busy connection, and none once all are full', async () => {
    const { pool } = createPool();
    const pipelines = await openAll(pool, 2);
    const slots = Array.from({ length: 40 }, () => pipelines.acquire());
    expect(slots.slice(0, 4).map(numberOf)).toEqual([1, 2, 1, 2]);
    expect(slots.filter(Boolean)).toHaveLength(32);
    slots[1]?.release(false);
    expect(numberOf(pipelines.acquire())).toBe(2);
  });

  it('avoid a slow connection until it has responded', async () => {
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

  it('replace a broken connection, and release it once', async () => {
    const { pool, released } = createPool();
    const pipelines = await openAll(pool, 1);
    const [slot_1, slot_2] = [pipelines.acquire(), pipelines.acquire()];
    slot_1?.client.emit('error', new Error('gone'));
    slot_1?.release(true);
    slot_2?.release(true);
    expect(released).toEqual([[1, true]]);
    expect(pipelines.acquire()).toBeUndefined();
    await settled();
    expect(numberOf(pipelines.acquire())).toBe(2);
  });

  it('close after pending reads have completed', async () => {
    const { pool, released } = createPool();
    const pipelines = await openAll(pool, 2);
    const slot = pipelines.acquire();
    pipelines.close();
    expect([released, pipelines.acquire()]).toEqual([[[2, false]], undefined]);
    slot?.release(false);
    expect(released).toEqual([
      [2, false],
      [1, false],
    ]);
  });
});

describe('openPool', () => {
  it('runs reads on a shared connection while transactions hold all others', async () => {
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

  it('runs statements that lock on separate connections', async () => {
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
