import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { act, ask, itemsOf, makeTag } from '../../testing/following.ts';
import { findPersonas, passDays, type Personas } from '../../testing/personas.ts';
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
      await makeTag(world, alice, 'one-tag', { follow_policy: 'approval' }),
      await makeTag(world, carol, 'two-tag', { follow_policy: 'approval' }),
    ];
    const [one, two] = [await ask(world, tags[0], bob, 'hi'), await ask(world, tags[1], bob)];
    await act(world, one, alice, 'decline');
    expect(await itemsOf(world, '/follow-requests/outgoing', bob)).toEqual([two, one]);
    await act(world, two, carol, 'accept');
    expect(await itemsOf(world, '/follow-requests/outgoing', bob)).toEqual([one]);
    await passDays(world, 30);
    expect(await itemsOf(world, '/follow-requests/outgoing', bob)).toEqual([]);
  });
});
