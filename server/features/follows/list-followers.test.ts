import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /followers', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists each follower once, with the followed tags, by the latest first follow', async () => {
    const { alice, bob, carol } = people;
    const [first_tag, second_tag] = [
      await createTag(world, alice, 'one-tag'),
      await createTag(world, alice, 'two-tag'),
    ];
    await follow(world, first_tag, bob);
    await follow(world, first_tag, carol);
    await follow(world, second_tag, bob);
    const short = (items: { user: { username: string }; tags: { name: string }[] }[]) =>
      items.map(({ user, tags }) => [user.username, tags.map(({ name }) => name)]);
    const items = await itemsOf(world, '/followers', alice);
    expect(short(items)).toEqual([
      ['carol', ['one-tag']],
      ['bob', ['two-tag', 'one-tag']],
    ]);
    expect(short(await itemsOf(world, `/followers?before_id=${items[0].id}`, alice))).toEqual([
      ['bob', ['two-tag', 'one-tag']],
    ]);
    expect(await itemsOf(world, '/followers', bob)).toEqual([]);
    await block(world, alice, bob);
    expect(short(await itemsOf(world, '/followers', alice))).toEqual([['carol', ['one-tag']]]);
  });

  it('omits no follower who follows another tag while a client paginates', async () => {
    const { alice, bob, carol } = people;
    const [first_tag, second_tag] = [
      await createTag(world, carol, 'carols-one'),
      await createTag(world, carol, 'carols-two'),
    ];
    await follow(world, first_tag, bob);
    await follow(world, first_tag, alice);
    const [first] = await itemsOf(world, '/followers?limit=1', carol);
    await follow(world, second_tag, bob);
    const [second] = await itemsOf(world, `/followers?limit=1&before_id=${first.id}`, carol);
    expect([first, second].map(({ user }) => user.username)).toEqual(['alice', 'bob']);
  });
});
