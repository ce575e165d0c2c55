import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../testing/running/tcp-proxy.ts';
import { openPool, sql, type Pool } from './database.ts';
import { default_limits } from '../load/limits.ts';
import { slow } from '../../../testing/slow-tests.ts';

/** Starts a TCP proxy of the test server, which can be stalled. */
async function startProxy(): Promise<{ proxy: TcpProxy; url: string }> {
  const database = new URL(inject('database_url').replace(/^(postgres(?:ql)?:\/\/[^@/]*@?)\//, '$1localhost/'));
  const socket_dir = database.searchParams.get('host');
  const port = database.port || '5432';
  const proxy = await startTcpProxy(socket_dir ? `${socket_dir}/.s.PGSQL.${port}` : Number(port));
  const user = database.username || database.searchParams.get('user') || 'asterism';
  return { proxy, url: `postgresql://${user}@127.0.0.1:${proxy.port}/postgres` };
}

const limits = {
  ...default_limits,
  database_connection_ms: 300,
  database_watch_ms: 20,
  database_stalled_ms: 100,
  database_given_up_ms: 400,
};

describe('a stalled database', () => {
  let proxy: TcpProxy;
  let pool: Pool;
  beforeEach(async () => {
    const started = await startProxy();
    proxy = started.proxy;
    pool = openPool(started.url, 2, limits);
  });
  afterEach(async () => {
    proxy.resume();
    await pool.close();
    await proxy.close();
  });

  const runStatement = () => pool.run(sql`select 1`);
  /** The error of a rejected promise, and the time until then. */
  const failureOf = async (work: Promise<unknown>) => {
    const started_ms = performance.now();
    const error = await work.then(
      () => undefined,
      (cause: Error & { code?: string }) => cause,
    );
    return { code: error?.code, message: error?.message ?? 'none', after_ms: performance.now() - started_ms };
  };
  const isUnavailable = async () => (await failureOf(runStatement())).code === 'unavailable';

  it('fails waiting statements, then rejects new ones at once, and recovers by itself', slow, async () => {
    expect(await runStatement()).toBe(1);
    proxy.stall();
    const waiting = failureOf(runStatement());
    const changing = failureOf(pool.transaction((tx) => tx.run(sql`select 1`)));
    const third = failureOf(runStatement());
    await expect.poll(isUnavailable).toBe(true);
    const next = await failureOf(runStatement());
    expect(next.code).toBe('unavailable');
    expect(next.after_ms).toBeLessThan(50);
    for (const ended of [await waiting, await changing, await third]) {
      expect(ended.message).toMatch(/^Connection terminated|^timeout exceeded when trying to connect/);
      expect(ended.after_ms).toBeLessThan(2_000);
    }
    // Statements are still rejected without being sent.
    expect(await isUnavailable()).toBe(true);
    proxy.resume();
    await expect.poll(() => runStatement().catch(() => 0)).toBe(1);
    expect(pool.state().total).toBeLessThanOrEqual(2);
  });

  it('is not confused with one that closes connections, whose errors are passed on', async () => {
    expect(await runStatement()).toBe(1);
    proxy.cut();
    // Each statement fails with the error of its connection.
    for (let tries = 0; tries < 20; tries++)
      expect((await failureOf(runStatement())).message).toMatch(/^Connection terminated|ECONN|not queryable/);
    proxy.restore();
    await expect.poll(() => runStatement().catch(() => 0)).toBe(1);
  });
});
