import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /blocks', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists the users that the caller has blocked, newest first, and not who blocked the caller', async () => {
    const { alice, bob, carol } = people;
    await block(world, alice, bob);
    await block(world, alice, carol);
    const items = await itemsOf(world, '/blocks', alice);
    expect(items.map(({ user }: { user: { username: string } }) => user.username)).toEqual(['carol', 'bob']);
    expect(await itemsOf(world, `/blocks?before_id=${items[0].id}`, alice)).toEqual([items[1]]);
    expect(await itemsOf(world, '/blocks', bob)).toEqual([]);
  });
});
