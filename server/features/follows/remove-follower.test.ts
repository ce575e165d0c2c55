import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /followers/{follower_user_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it("removes all follows of the caller's tags by one user, and no others", async () => {
    const { alice, bob, carol } = people;
    const tags = [await createTag(world, alice, 'one-tag'), await createTag(world, alice, 'two-tag')];
    const other = await createTag(world, carol, 'other-tag');
    for (const tag of [...tags, other]) await follow(world, tag, bob);
    const remove = () => world.call(`DELETE /followers/${bob.id}`, { token: alice.token });
    expect((await remove()).status).toBe(204);
    expect((await remove()).body.error.code).toBe('not_found');
    expect((await itemsOf(world, '/follows', bob)).map(({ tag }: { tag: { name: string } }) => tag.name)).toEqual([
      'other-tag',
    ]);
    for (const { id } of tags)
      expect((await world.call(`GET /xtags/${id}`, { token: alice.token })).body.follower_count).toBe(0);
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
  });
});
