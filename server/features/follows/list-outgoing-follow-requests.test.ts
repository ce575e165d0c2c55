import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnRequest, requestFollow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, advanceDays, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /follow-requests/outgoing', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists pending and declined requests of the caller until they expire', async () => {
    const { alice, bob, carol } = people;
    const tags = [
      await createTag(world, alice, 'one-tag', { follow_policy: 'approval' }),
      await createTag(world, carol, 'two-tag', { follow_policy: 'approval' }),
    ];
    const [first, second] = [await requestFollow(world, tags[0], bob, 'hi'), await requestFollow(world, tags[1], bob)];
    await actOnRequest(world, first, alice, 'decline');
    expect(await itemsOf(world, '/follow-requests/outgoing', bob)).toEqual([second, first]);
    await actOnRequest(world, second, carol, 'accept');
    expect(await itemsOf(world, '/follow-requests/outgoing', bob)).toEqual([first]);
    await advanceDays(world, 30);
    expect(await itemsOf(world, '/follow-requests/outgoing', bob)).toEqual([]);
  });
});
