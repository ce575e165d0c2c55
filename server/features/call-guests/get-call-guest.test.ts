import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requestEntry, decideOnGuest, startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /calls/{join_code}/guest', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  it('returns the state of a guest to that guest only', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const gina = (await requestEntry(world, join_code)).body;
    const state = (token: string, code = join_code) => world.call(`GET /calls/${code}/guest`, { token });
    expect((await state(gina.token)).body).toEqual(gina.guest);
    expect((await state(alice.token)).status).toBe(404);
    expect((await state(gina.token, 'aaa-bbbb-ccc')).status).toBe(404);
    await decideOnGuest(world, alice, join_code, gina.guest.id);
    expect((await state(gina.token)).body.state).toBe('admitted');
  });
});
