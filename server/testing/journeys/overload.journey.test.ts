/** A node that is full over real sockets: the queues in front of it are bounded, and what they hold keeps working. */
import { Agent, request } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiError } from '../../kernel/errors.ts';
import { sql } from '../../kernel/database/database.ts';
import { makeToken } from '../../kernel/security/secret.ts';
import { register, type Persona } from '../personas.ts';
import { poll } from '../running-service.ts';
import { createWorld, type World } from '../world.ts';

const limits = {
  requests_running: 4,
  hashing_running: 2,
  hashing_waiting: 2,
  request_wait_ms: 500,
  request_overload_ms: 200,
};
/** The queue in front of the database, and the connections of a world. */
const database_waiting = 256;
const database_pool = 6;

type Answer = { status: number; headers: Record<string, string>; body: any }; // oxlint-disable-line typescript/no-explicit-any -- tests read answers freely

describe('a node that is full', () => {
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

  /** Holds everything that reads accounts until the answer is called. */
  async function holdAccounts(): Promise<() => Promise<void>> {
    // The session is known to the node, so that its look-up does not wait as well.
    expect((await send('GET', '/v1/me').answer).status).toBe(200);
    const { connectionString = '' } = world.app.services.db.native.options as { connectionString?: string };
    const holder = new pg.Client(connectionString);
    await holder.connect();
    await holder.query('begin; lock table users in access exclusive mode');
    return async () => {
      await holder.query('rollback');
      await holder.end();
    };
  }

  it('refuses with Retry-After what comes beyond its bound, and answers what it had accepted', async () => {
    const release = await holdAccounts();
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
    // Whoever looks after the node must still be answered.
    expect((await send('GET', '/health/live').answer).status).toBe(200);
    await release();
    for (const { status } of await Promise.all(accepted)) expect(status).toBe(200);
    expect((await send('GET', '/v1/me').answer).status).toBe(200);
    const metrics = await world.app.services.metrics.registry.metrics();
    expect(metrics).toMatch(/^asterism_http_shed_total 50$/m);
  });

  it('takes a burst that is more than may be worked on at once, and refuses none of it', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => send('GET', '/v1/me').answer));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  });

  it('lets nothing wait while it is overloaded, and takes all again a moment after', async () => {
    const release = await holdAccounts();
    const accepted = Array.from({ length: limits.requests_running }, () => send('GET', '/v1/me').answer);
    await poll(async () => (await running()) === limits.requests_running, 'a full node');
    const began_ms = performance.now();
    expect((await send('GET', '/v1/me').answer).status).toBe(503);
    const waited_ms = performance.now() - began_ms;
    expect(waited_ms).toBeGreaterThanOrEqual(limits.request_wait_ms - 5);
    // One after the other: together they take less than one that waits.
    const refused_ms = performance.now();
    for (let count = 0; count < 5; count++) expect((await send('GET', '/v1/me').answer).status).toBe(503);
    expect((performance.now() - refused_ms) / 5).toBeLessThan(limits.request_wait_ms);
    await release();
    for (const { status } of await Promise.all(accepted)) expect(status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 4 }, () => send('GET', '/v1/me').answer));
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
  });

  it('counts what is asked with tokens that nobody has, before it is looked for', async () => {
    const { connectionString = '' } = world.app.services.db.native.options as { connectionString?: string };
    const holder = new pg.Client(connectionString);
    await holder.connect();
    await holder.query('begin; lock table session_tokens in access exclusive mode');
    const attack = Array.from({ length: 60 }, () => send('GET', '/v1/me', undefined, makeToken()).answer);
    let refused = 0;
    for (const answer of attack) void answer.then(({ status }) => (refused += status === 503 ? 1 : 0));
    await poll(async () => refused >= 60 - limits.requests_running, 'refusals while the database is busy', 5_000);
    await holder.query('rollback');
    await holder.end();
    const statuses = (await Promise.all(attack)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(limits.requests_running);
  });

  it('gets back the places of clients that went away', async () => {
    const release = await holdAccounts();
    const gone = Array.from({ length: limits.requests_running }, () => send('GET', '/v1/me'));
    const ends = Promise.allSettled(gone.map(({ answer }) => answer));
    await poll(async () => (await running()) === limits.requests_running, 'a full node');
    for (const { abort } of gone) abort();
    await ends;
    await release();
    await poll(async () => (await running()) === 0, 'the end of all work');
    expect((await send('GET', '/v1/me').answer).status).toBe(200);
  });

  it('a slow body holds no place', async () => {
    const slow = Array.from({ length: limits.requests_running * 2 }, () =>
      request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/auth/login',
        headers: { 'content-type': 'application/json', 'content-length': 1000 },
      }),
    );
    for (const one of slow) {
      one.on('error', () => undefined).flushHeaders();
      one.write('{');
    }
    await poll(async () => (await gauge('asterism_http_connections')) >= slow.length, 'the slow connections');
    expect((await send('GET', '/v1/me').answer).status).toBe(200);
    await poll(async () => (await running()) === 0, 'the end of all work');
    for (const one of slow) one.destroy();
  });

  it('hashes a few passwords at once, lets as many wait, and refuses the rest', async () => {
    const { hashing } = world.app.services;
    let finish = () => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    const accepted = Array.from({ length: limits.hashing_running + limits.hashing_waiting }, () =>
      hashing(() => held.then(() => 'hashed')),
    );
    const login = { username: 'ada', password: ada.password };
    const { status, headers, body } = await send('POST', '/v1/auth/login', login).answer;
    expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    finish();
    expect(await Promise.all(accepted)).toEqual(accepted.map(() => 'hashed'));
    expect((await send('POST', '/v1/auth/login', login).answer).status).toBe(200);
  });

  it('lets a bounded number wait for the database, and refuses the rest', async () => {
    const { db } = world.app.services;
    const more = 40;
    // Each in a transaction, which has a connection of its own; single reads share some.
    const asked = Array.from({ length: database_waiting + database_pool + more }, () =>
      db.transaction((tx) => tx.one<{ answer: number }>(sql`select 1 as answer from pg_sleep(0.005)`)),
    );
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.filter((one) => one.status === 'rejected').map(({ reason }) => reason as ApiError);
    expect(refused.length).toBeGreaterThanOrEqual(more);
    for (const { code, retry_after_s } of refused) expect([code, retry_after_s]).toEqual(['unavailable', 1]);
    expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(database_waiting);
  });
});
