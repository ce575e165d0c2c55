import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, password } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /auth/username-available', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    findPersonas();
  });
  afterAll(() => world.close());

  const check = async (username: string) => {
    const { status, body } = await world.call(`GET /auth/username-available?username=${encodeURIComponent(username)}`);
    expect(status).toBe(200);
    return body;
  };

  it('returns whether a username is available, case-insensitively', async () => {
    expect(await check('zoe')).toEqual({ available: true });
    expect(await check('ZOE.2_x')).toEqual({ available: true });
    expect(await check('alice')).toEqual({ available: false, reason: 'taken' });
    expect(await check('ALICE')).toEqual({ available: false, reason: 'taken' });
  });

  it('reports a malformed username as invalid', async () => {
    for (const invalid of ['ab', 'x'.repeat(31), 'zoë', '*zoe', 'zo e']) {
      expect(await check(invalid)).toEqual({ available: false, reason: 'invalid' });
    }
  });

  it('reports the username of a pending registration as taken, for 15 minutes', async () => {
    await world.call('POST /auth/register', { body: { username: 'yves', password, email: 'yves@example.org' } });
    expect(await check('yves')).toEqual({ available: false, reason: 'taken' });
    await world.clock.advance(15 * 60 + 1);
    expect(await check('yves')).toEqual({ available: true });
  });
});
