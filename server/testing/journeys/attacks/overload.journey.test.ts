/** An overloaded node over real sockets: its queues are bounded, and accepted requests complete. */
import { Agent, request } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiError } from '../../../kernel/errors.ts';
import { sql } from '../../../kernel/database/database.ts';
import { generateToken } from '../../../kernel/security/secret.ts';
import { register, type Persona } from '../../world/personas.ts';
import { poll } from '../../running/running-service.ts';
import { createWorld, type World } from '../../world/world.ts';

const limits = {
  requests_running: 4,
  hashing_running: 2,
  hashing_waiting: 2,
  request_wait_ms: 500,
  request_overload_ms: 200,
};
/** The queue of the database, and the connections of a world. */
const database_waiting = 256;
const database_pool = 6;

type Answer = { status: number; headers: Record<string, string>; body: any }; // oxlint-disable-line typescript/no-explicit-any -- tests read answers freely

describe('an overloaded node', () => {
  let world: World;
  let ada: Persona;
  let port = 0;
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  beforeAll(async () => {
    world = await createWorld({
      limits,
      environment: { THROTTLE_FACTOR: '1000', DATABASE_POOL: String(database_pool) },
    });
    ada = await register(world, 'ada', 71);
    port = await world.app.listen();
  });
  afterAll(async () => {
    agent.destroy();
    await world.close();
  });

  function send(
    method: string,
    path: string,
    body?: object,
    token = ada.token,
  ): { answer: Promise<Answer>; abort(): void } {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent });
    const answer = new Promise<Answer>((resolve, reject) => {
      sent.once('error', reject).once('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.once('end', () => {
          const { statusCode = 0 } = response;
          resolve({ status: statusCode, headers: response.headers as Record<string, string>, body: JSON.parse(text) });
        });
      });
    });
    sent.end(body && JSON.stringify(body));
    return { answer, abort: () => sent.destroy() };
  }

  const gauge = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await world.app.services.metrics.registry.metrics())?.[1]);
  const running = () => gauge('asterism_http_running');
  beforeEach(() => poll(async () => (await gauge('asterism_http_overloaded')) === 0, 'the end of the last overload'));

  /** Blocks everything that reads accounts until the returned function is called. */
  async function blockAccounts(): Promise<() => Promise<void>> {
    // The node has the session in its cache, so that its lookup does not wait as well.
    expect((await send('GET', '/v1/me').answer).status).toBe(200);
    const { connectionString = '' } = world.app.services.db.native.options as { connectionString?: string };
    const lock_holder = new pg.Client(connectionString);
    await lock_holder.connect();
    await lock_holder.query('begin; lock table users in access exclusive mode');
    return async () => {
      await lock_holder.query('rollback');
      await lock_holder.end();
    };
  }

  it('returns 503 with Retry-After beyond its limit, and completes accepted requests', async () => {
    const shed_before = await gauge('asterism_http_shed_total');
    const release = await blockAccounts();
    const accepted = Array.from({ length: limits.requests_running }, () => send('GET', '/v1/me').answer);
    await poll(async () => (await running()) === limits.requests_running, 'a full node');
    const refused = await Promise.all(Array.from({ length: 50 }, () => send('GET', '/v1/me').answer));
    for (const { status, headers, body } of refused) {
      expect([status, body]).toEqual([
        503,
        { error: { code: 'unavailable', message: 'The service is busy. Try again shortly.' } },
      ]);
      expect(headers['retry-after']).toBe('1');
      expect(headers['x-request-id']).toMatch(/^req_/);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
    // Health checks must still succeed.
    expect((await send('GET', '/health/live').answer).status).toBe(200);
    await release();
    for (const { status } of await Promise.all(accepted)) expect(status).toBe(200);
    expect((await send('GET', '/v1/me').answer).status).toBe(200);
    expect((await gauge('asterism_http_shed_total')) - shed_before).toBe(50);
  });

  it('queues a short burst beyond the limit, and rejects none of it', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => send('GET', '/v1/me').answer));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  });

  it('rejects at once while it is overloaded, and accepts everything again shortly after', async () => {
    const release = await blockAccounts();
    const accepted = Array.from({ length: limits.requests_running }, () => send('GET', '/v1/me').answer);
    await poll(async () => (await running()) === limits.requests_running, 'a full node');
    const started_ms = performance.now();
    expect((await send('GET', '/v1/me').answer).status).toBe(503);
    const waited_ms = performance.now() - started_ms;
    expect(waited_ms).toBeGreaterThanOrEqual(limits.request_wait_ms - 5);
    // In sequence: on average each takes less than a request that waits.
    const refused_ms = performance.now();
    for (let count = 0; count < 5; count++) expect((await send('GET', '/v1/me').answer).status).toBe(503);
    expect((performance.now() - refused_ms) / 5).toBeLessThan(limits.request_wait_ms);
    await release();
    for (const { status } of await Promise.all(accepted)) expect(status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 4 }, () => send('GET', '/v1/me').answer));
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
  });

  it('limits requests with unknown tokens before their lookup', async () => {
    const { connectionString = '' } = world.app.services.db.native.options as { connectionString?: string };
    const lock_holder = new pg.Client(connectionString);
    await lock_holder.connect();
    await lock_holder.query('begin; lock table session_tokens in access exclusive mode');
    const attack = Array.from({ length: 60 }, () => send('GET', '/v1/me', undefined, generateToken()).answer);
    let refused = 0;
    for (const answer of attack) void answer.then(({ status }) => (refused += status === 503 ? 1 : 0));
    await poll(async () => refused >= 60 - limits.requests_running, 'refusals while the database is busy', 5_000);
    await lock_holder.query('rollback');
    await lock_holder.end();
    const statuses = (await Promise.all(attack)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(limits.requests_running);
  });

  it('releases the slots of clients that have disconnected', async () => {
    const release = await blockAccounts();
    const clients = Array.from({ length: limits.requests_running }, () => send('GET', '/v1/me'));
    const ends = Promise.allSettled(clients.map(({ answer }) => answer));
    await poll(async () => (await running()) === limits.requests_running, 'a full node');
    for (const { abort } of clients) abort();
    await ends;
    await release();
    await poll(async () => (await running()) === 0, 'the end of all work');
    expect((await send('GET', '/v1/me').answer).status).toBe(200);
  });

  it('does not use a slot for a request with a slow body', async () => {
    const slow = Array.from({ length: limits.requests_running * 2 }, () =>
      request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/auth/login',
        headers: { 'content-type': 'application/json', 'content-length': 1000 },
      }),
    );
    for (const request_with_slow_body of slow) {
      request_with_slow_body.on('error', () => undefined).flushHeaders();
      request_with_slow_body.write('{');
    }
    await poll(async () => (await gauge('asterism_http_connections')) >= slow.length, 'the slow connections');
    expect((await send('GET', '/v1/me').answer).status).toBe(200);
    await poll(async () => (await running()) === 0, 'the end of all work');
    for (const request_with_slow_body of slow) request_with_slow_body.destroy();
  });

  it('hashes a few passwords at once, queues a few more, and rejects the rest with 503', async () => {
    const { hashing } = world.app.services;
    let finish = () => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    const accepted = Array.from({ length: limits.hashing_running + limits.hashing_waiting }, (_, at) =>
      hashing.run(`network ${at}`, () => held.then(() => 'hashed')),
    );
    const login = { username: 'ada', password: ada.password };
    const { status, headers, body } = await send('POST', '/v1/auth/login', login).answer;
    expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    finish();
    expect(await Promise.all(accepted)).toEqual(accepted.map(() => 'hashed'));
    expect((await send('POST', '/v1/auth/login', login).answer).status).toBe(200);
  });

  it('limits the queue for the database, and rejects the rest', async () => {
    const { db } = world.app.services;
    const extra_count = 40;
    // Each in a transaction, which has a separate connection; single reads share connections.
    const queries = Array.from({ length: database_waiting + database_pool + extra_count }, () =>
      db.transaction((tx) => tx.one<{ answer: number }>(sql`select 1 as answer from pg_sleep(0.005)`)),
    );
    const outcomes = await Promise.allSettled(queries);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as ApiError);
    expect(refused.length).toBeGreaterThanOrEqual(extra_count);
    for (const { code, retry_after_s } of refused) expect([code, retry_after_s]).toEqual(['unavailable', 1]);
    expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(database_waiting);
  });
});
