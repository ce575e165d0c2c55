import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, password } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { isReservedName } from './reserved-names.ts';

describe('reserved names', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  it('cannot be registered in any case, and with dots or underscores', async () => {
    for (const username of ['admin', 'Support', 'asterism', 'ad.min', 's_u_p_p_o_r_t']) {
      const { status, body } = await world.call('POST /auth/register', {
        body: { username, password, email: 'zoe@example.org' },
      });
      expect([username, status, body.error.fields]).toEqual([username, 422, { username: 'is reserved' }]);
      const availability = await world.call(`GET /auth/username-available?username=${username}`);
      expect(availability.body).toEqual({ available: false, reason: 'reserved' });
    }
    expect(isReservedName('admiral')).toBe(false);
  });

  it('cannot be tags', async () => {
    const { token } = findPersonas().alice;
    const refused = await world.call('POST /xtags', { token, body: { name: 'support' } });
    expect([refused.status, refused.body.error.fields]).toEqual([422, { name: 'is reserved' }]);
    const { body: tag } = await world.call('POST /xtags', { token, body: { name: 'supporters' } });
    const renamed = await world.call(`PATCH /xtags/${tag.id}`, { token, body: { name: 'sup-port' } });
    expect([renamed.status, renamed.body.error.fields]).toEqual([422, { name: 'is reserved' }]);
  });
});
