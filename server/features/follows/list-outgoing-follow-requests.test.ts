import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnRequest, requestFollow, itemsOf, createTag } from '../../testing/following.ts';
import { findPersonas, advanceDays, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('GET /follow-requests/outgoing', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists what the asker waits for, a denial included, until it expires', async () => {
    const { alice, bob, carol } = people;
    const tags = [
      await createTag(world, alice, 'one-tag', { follow_policy: 'approval' }),
      await createTag(world, carol, 'two-tag', { follow_policy: 'approval' }),
    ];
    const [one, two] = [await requestFollow(world, tags[0], bob, 'hi'), await requestFollow(world, tags[1], bob)];
    await actOnRequest(world, one, alice, 'decline');
    expect(await itemsOf(world, '/follow-requests/outgoing', bob)).toEqual([two, one]);
    await actOnRequest(world, two, carol, 'accept');
    expect(await itemsOf(world, '/follow-requests/outgoing', bob)).toEqual([one]);
    await advanceDays(world, 30);
    expect(await itemsOf(world, '/follow-requests/outgoing', bob)).toEqual([]);
  });
});
