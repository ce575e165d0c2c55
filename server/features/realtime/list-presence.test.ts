import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { poll } from '../../testing/running/running-service.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /presence', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('shows users with an open stream to mutual followers', async () => {
    const { alice, bob } = people;
    await follow(world, await createTag(world, alice, 'alices'), bob);
    const stream = await world.app.http.inject({
      method: 'GET',
      url: '/v1/realtime/stream',
      headers: { authorization: `Bearer ${alice.token}` },
      payloadAsStream: true,
    });
    expect(await itemsOf(world, '/presence', bob)).toEqual([]);
    await follow(world, await createTag(world, bob, 'bobs'), alice);
    await poll(async () => (await itemsOf(world, '/presence', bob)).length === 1, 'alice to be there');
    expect(await itemsOf(world, '/presence', bob)).toMatchObject([{ user: { username: 'alice' }, online: true }]);
    expect(await itemsOf(world, '/presence', alice)).toEqual([]);
    stream.stream().destroy();
  });
});
