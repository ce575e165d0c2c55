import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnRequest, requestFollow, block, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, advanceDays, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /follow-requests', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists pending requests, or others by state, and none after 30 days', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'asked', { follow_policy: 'approval' });
    const [first, second] = [await requestFollow(world, tag, bob, 'hello'), await requestFollow(world, tag, carol)];
    const ids = async (query = '') =>
      (await itemsOf(world, `/follow-requests${query}`, alice)).map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual([second.id, first.id]);
    expect(await ids(`?before_id=${second.id}`)).toEqual([first.id]);
    await actOnRequest(world, first, alice, 'decline');
    expect([await ids(), await ids('?state=declined')]).toEqual([[second.id], [first.id]]);
    await advanceDays(world, 30);
    expect(await ids()).toEqual([]);
    await block(world, carol, alice);
    expect(await ids()).toEqual([]);
    expect(await itemsOf(world, '/follow-requests', bob)).toEqual([]);
  });
});
