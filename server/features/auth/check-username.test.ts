import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, password } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('GET /auth/username-available', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    findPersonas();
  });
  afterAll(() => world.close());

  const ask = async (username: string) => {
    const { status, body } = await world.call(`GET /auth/username-available?username=${encodeURIComponent(username)}`);
    expect(status).toBe(200);
    return body;
  };

  it('says whether a username can be had, whatever its case', async () => {
    expect(await ask('zoe')).toEqual({ available: true });
    expect(await ask('ZOE.2_x')).toEqual({ available: true });
    expect(await ask('alice')).toEqual({ available: false, reason: 'taken' });
    expect(await ask('ALICE')).toEqual({ available: false, reason: 'taken' });
  });

  it('says that a name cannot be one', async () => {
    for (const odd of ['ab', 'x'.repeat(31), 'zoë', '*zoe', 'zo e']) {
      expect(await ask(odd)).toEqual({ available: false, reason: 'invalid' });
    }
  });

  it('counts a registration under way as taken, for 15 minutes', async () => {
    await world.call('POST /auth/register', { body: { username: 'yves', password, email: 'yves@example.org' } });
    expect(await ask('yves')).toEqual({ available: false, reason: 'taken' });
    await world.clock.advance(15 * 60 + 1);
    expect(await ask('yves')).toEqual({ available: true });
  });
});
