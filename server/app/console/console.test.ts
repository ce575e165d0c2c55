import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /console/outbox', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  it('finds a number whether its plus is escaped or not, and an address in any case', async () => {
    const register = (username: string, address: object) =>
      world.call('POST /auth/register', { body: { username, password: 'four calm words here', ...address } });
    expect((await register('mina', { mobile_number: '+14155550177' })).status).toBe(201);
    expect((await register('nora', { email: 'nora@example.org' })).status).toBe(201);
    const [texts, letters] = [await world.sent('+14155550177'), await world.sent('nora@example.org')];
    expect([texts.length, letters.length]).toEqual([1, 1]);
    const found = async (to: string) => (await world.call(`GET /console/outbox?to=${to}`)).body.items;
    expect(await found('%2B14155550177')).toEqual(texts);
    expect(await found('+14155550177')).toEqual(texts);
    expect(await found('Nora@Example.org')).toEqual(letters);
  });
});
