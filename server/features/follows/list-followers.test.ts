import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, itemsOf, makeTag } from '../../testing/following.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('GET /followers', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists each person once, with the tags, by their newest follow', async () => {
    const { alice, bob, carol } = people;
    const [one, two] = [await makeTag(world, alice, 'one-tag'), await makeTag(world, alice, 'two-tag')];
    await follow(world, one, bob);
    await follow(world, one, carol);
    await follow(world, two, bob);
    const short = (items: { user: { username: string }; tags: { name: string }[] }[]) =>
      items.map(({ user, tags }) => [user.username, tags.map(({ name }) => name)]);
    const items = await itemsOf(world, '/followers', alice);
    expect(short(items)).toEqual([
      ['bob', ['two-tag', 'one-tag']],
      ['carol', ['one-tag']],
    ]);
    expect(short(await itemsOf(world, `/followers?before_id=${items[0].id}`, alice))).toEqual([['carol', ['one-tag']]]);
    expect(await itemsOf(world, '/followers', bob)).toEqual([]);
    await block(world, alice, bob);
    expect(short(await itemsOf(world, '/followers', alice))).toEqual([['carol', ['one-tag']]]);
  });
});
