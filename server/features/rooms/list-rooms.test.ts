import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, createTag } from '../../testing/steps/follows.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { saveRoom } from '../../testing/steps/rooms.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /rooms', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists the rooms that the caller may join, newest first, and paginates', async () => {
    const { alice, bob, carol } = people;
    const [tag, closed, group] = [
      await createTag(world, alice, 'listed'),
      await createTag(world, alice, 'closed'),
      await createGroup(world, alice, 'Listed'),
    ];
    await joinGroup(world, group, alice, bob);
    for (const followed of [tag, closed]) await follow(world, followed, bob);
    await follow(world, tag, carol);
    const codes: string[] = [];
    for (const [place, body] of [
      [`/xtags/${tag.id}`, {}],
      [`/xtags/${closed.id}`, { privacy: 'private' }],
      [`/groups/${group.id}`, {}],
    ] as const)
      codes.unshift((await saveRoom(world, place, alice, body)).join_code);
    const list = async (token: string, query = '') =>
      (await world.call(`GET /rooms${query}`, { token })).body.items as { id: string; join_code: string }[];
    const codesOf = (items: { join_code: string }[]) => items.map(({ join_code }) => join_code);
    expect(codesOf(await list(alice.token))).toEqual(codes);
    expect(codesOf(await list(bob.token))).toEqual([codes[0], codes[2]]);
    expect(codesOf(await list(carol.token))).toEqual([codes[2]]);
    const [first] = await list(alice.token, '?limit=1');
    expect(codesOf(await list(alice.token, `?before_id=${first?.id}`))).toEqual(codes.slice(1));
  });
});
