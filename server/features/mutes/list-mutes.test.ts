import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /mutes', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists the users that the caller has muted, newest first, not who muted the caller, and none across a block', async () => {
    const { alice, bob, carol } = people;
    for (const { id } of [bob, carol]) await world.call(`PUT /people/${id}/mute`, { token: alice.token });
    const items = await itemsOf(world, '/mutes', alice);
    expect(items.map(({ user }: { user: { username: string } }) => user.username)).toEqual(['carol', 'bob']);
    expect(await itemsOf(world, `/mutes?before_id=${items[0].id}`, alice)).toEqual([items[1]]);
    expect(await itemsOf(world, '/mutes', bob)).toEqual([]);
    await block(world, carol, alice);
    expect(await itemsOf(world, '/mutes', alice)).toEqual([items[1]]);
  });
});
