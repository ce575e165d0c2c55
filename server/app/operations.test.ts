import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createWorld, type World } from '../testing/world/world.ts';
import { slow } from '../../testing/slow-tests.ts';

describe('routes for this machine only', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
  });
  afterAll(() => world.close());

  const statuses = async (host: string, more: { ip?: string; headers?: Record<string, string> } = {}) =>
    Promise.all(
      ['GET /metrics', 'GET /console/outbox', 'GET /console/clock'].map(async (route) => {
        const answer = await world.call(route, { ...more, headers: { host, ...more.headers } });
        return answer.status;
      }),
    );

  it.each(['localhost', 'localhost:8080', '127.0.0.1', '127.8.9.1:80', '[::1]:8080', '[::1]', 'LOCALHOST'])(
    'return 200 for the host %s',
    async (host) => expect(await statuses(host)).toEqual([200, 200, 200]),
  );

  it.each([
    '127.evil.com',
    '127.0.0.1.evil.com',
    'evil.com',
    'localhost.evil.com',
    'evil.localhost',
    '::1.evil.com',
    '127.0.0.1:80:80',
    'localhost:80@evil.com',
    '[::ffff:8.8.8.8]',
    '8.8.8.8',
    '0x7f.1',
  ])('return 404 for the host %s, which another site could use', async (host) =>
    expect(await statuses(host)).toEqual([404, 404, 404]),
  );

  it('return 404 for other addresses, and through a proxy that is not trusted', async () => {
    expect(await statuses('localhost', { ip: '10.1.2.3' })).toEqual([404, 404, 404]);
    expect(await statuses('localhost', { headers: { 'x-forwarded-for': '203.0.113.9' } })).toEqual([404, 404, 404]);
    expect(await statuses('localhost', { headers: { forwarded: 'for=203.0.113.9' } })).toEqual([404, 404, 404]);
  });
});

describe('behind a proxy', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ environment: { TRUST_PROXY: 'on' }, peopled: false });
  });
  afterAll(() => world.close());

  // Proxies append the address of their client to the header that the client has sent.
  const from = (claimed: string) => ({ headers: { 'x-forwarded-for': `${claimed}203.0.113.9` } });

  it('a forged X-Forwarded-For or X-Forwarded-Host does not open routes for this machine only', async () => {
    expect((await world.call('GET /metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(200);
    expect((await world.call('GET /metrics', from('127.0.0.1, '))).status).toBe(404);
    const named = { headers: { ...from('127.0.0.1, ').headers, 'x-forwarded-host': 'localhost' } };
    expect((await world.call('GET /console/outbox', named)).status).toBe(404);
  });

  it('a forged address does not get a separate rate budget', async () => {
    const left = async (claimed: string) => {
      const { headers } = await world.call('GET /auth/username-available?username=zoe', from(claimed));
      return Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
    };
    const first = await left('');
    expect([await left('198.51.100.1, '), await left('198.51.100.2, ')]).toEqual([first - 1, first - 2]);
  });
});

it('serves the OpenAPI document and the AsyncAPI document', slow, async () => {
  const world = await createWorld({ peopled: false });
  const read = async (name: string) => (await world.app.http.inject(`/v1/${name}.json`)).json();
  const [openapi, asyncapi] = [await read('openapi'), await read('asyncapi')];
  expect(openapi.paths['/me'].get.operationId).toBe('getMe');
  expect(asyncapi.asyncapi).toBe('3.0.0');
  expect(Object.keys(asyncapi.channels.stream.messages)).toEqual(
    expect.arrayContaining(['call.ringing', 'dm.message', 'session.revoked']),
  );
  await world.close();
});

it('answers many probes of readiness at once with one check of the database', async () => {
  const world = await createWorld();
  try {
    const { db } = world.app.services;
    const run = vi.spyOn(db, 'run');
    const probe = () => world.app.http.inject({ method: 'GET', url: '/health/ready' });
    const answers = await Promise.all(Array.from({ length: 50 }, probe));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(run).toHaveBeenCalledTimes(1);
    expect((await probe()).statusCode).toBe(200);
    expect(run).toHaveBeenCalledTimes(2);
  } finally {
    await world.close();
  }
});
