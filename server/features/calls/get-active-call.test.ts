import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCall } from '../../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /calls/active', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns the call that the caller is in or joining, not one that rings', async () => {
    const { alice, bob } = people;
    const active = (token: string) => world.call('GET /calls/active', { token });
    const none = await active(alice.token);
    expect([none.status, none.body.error.code]).toEqual([404, 'not_found']);
    const call = await startCall(world, alice, [bob]);
    expect((await active(alice.token)).body).toEqual(call);
    expect((await active(bob.token)).status).toBe(404);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await active(alice.token)).status).toBe(404);
  });
});
