import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnRequest, requestFollow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, advanceDays, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /follow-requests/count', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns the number of pending requests in the list', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'counted', { follow_policy: 'approval' });
    const count = async () => (await world.call('GET /follow-requests/count', { token: alice.token })).body;
    expect(await count()).toEqual({ count: 0 });
    const request = await requestFollow(world, tag, bob);
    await requestFollow(world, tag, carol);
    expect(await count()).toEqual({ count: 2 });
    await actOnRequest(world, request, alice, 'accept');
    expect(await count()).toEqual({ count: (await itemsOf(world, '/follow-requests', alice)).length });
    await advanceDays(world, 30);
    expect(await count()).toEqual({ count: 0 });
  });
});
