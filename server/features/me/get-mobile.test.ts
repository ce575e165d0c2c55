import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /me/mobile', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns the number and whether it is verified, also before verification', async () => {
    const read = async (token: string) => (await world.call('GET /me/mobile', { token })).body;
    const { alice, uma } = people;
    expect(await read(alice.token)).toEqual({ mobile_number: alice.mobile_number, mobile_verified: true });
    expect(await read(uma.token)).toEqual({ mobile_number: null, mobile_verified: false });
    await world.call('PUT /me/mobile', { token: uma.token, body: { mobile_number: '+14155552671' } });
    expect(await read(uma.token)).toEqual({ mobile_number: '+14155552671', mobile_verified: false });
  });
});
