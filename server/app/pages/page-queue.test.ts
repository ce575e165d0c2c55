import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTag } from '../../testing/steps/follows.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('public pages', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    await createTag(world, findPersonas().alice, 'harbour');
  });
  afterAll(() => world.close());

  const read = async (remoteAddress: string, url = '/t/harbour') =>
    (await world.app.http.inject({ url, remoteAddress })).statusCode;

  it('are refused to a network that asks for too many at once, and to no other', slow, async () => {
    const client = await world.app.services.db.native.connect();
    const flood: Promise<number>[] = [];
    const others: Promise<number>[] = [];
    try {
      await client.query('begin; lock table tags in access exclusive mode');
      for (let at = 0; at < 1000; at++) flood.push(read('192.0.2.1'));
      await Promise.race(flood);
      for (const url of ['/t/harbour', '/t/absent', '/v1/profiles/harbour']) others.push(read('198.51.100.1', url));
      await Promise.race([...others, new Promise((resolve) => setImmediate(resolve))]);
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await Promise.all(others)).toEqual([200, 404, 200]);
    const statuses = await Promise.all(flood);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });

  it('are answered after a flood as before', async () => {
    for (let at = 0; at < 40; at++) expect(await read('192.0.2.1')).toBe(200);
  });
});
