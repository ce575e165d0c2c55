import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCall } from '../../testing/steps/calls.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /calls/ringing', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists the calls that ring the caller, newest first, until the ring ends', async () => {
    const { alice, bob, carol } = people;
    const ringing = async ({ token }: Persona, query = '') => {
      const { status, body } = await world.call(`GET /calls/ringing${query}`, { token });
      expect(status).toBe(200);
      return body.items.map((call: { join_code: string }) => call.join_code);
    };
    expect(await ringing(bob)).toEqual([]);
    const first = await startCall(world, alice, [bob]);
    const second = await startCall(world, carol, [bob]);
    expect(await ringing(bob)).toEqual([second.join_code, first.join_code]);
    expect(await ringing(bob, '?limit=1&offset=1')).toEqual([first.join_code]);
    expect(await ringing(alice)).toEqual([]);
    await world.call(`POST /calls/${second.join_code}/decline`, { token: bob.token });
    expect(await ringing(bob)).toEqual([first.join_code]);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect(await ringing(bob)).toEqual([]);
    await world.call('DELETE /calls/active', { token: carol.token });
  });
});
