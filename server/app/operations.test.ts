import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/world.ts';

describe('behind a proxy', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ environment: { TRUST_PROXY: 'on' }, peopled: false });
  });
  afterAll(() => world.close());

  // Proxies add the address that they were asked from to what the client has written itself.
  const from = (claimed: string) => ({ headers: { 'x-forwarded-for': `${claimed}203.0.113.9` } });

  it('an address that a client claims opens nothing that is of this machine alone', async () => {
    expect((await world.call('GET /metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(200);
    expect((await world.call('GET /metrics', from('127.0.0.1, '))).status).toBe(404);
    const named = { headers: { ...from('127.0.0.1, ').headers, 'x-forwarded-host': 'localhost' } };
    expect((await world.call('GET /console/outbox', named)).status).toBe(404);
  });

  it('a claimed address brings no budget of its own', async () => {
    const left = async (claimed: string) => {
      const { headers } = await world.call('GET /auth/username-available?username=zoe', from(claimed));
      return Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
    };
    const first = await left('');
    expect([await left('198.51.100.1, '), await left('198.51.100.2, ')]).toEqual([first - 1, first - 2]);
  });
});
