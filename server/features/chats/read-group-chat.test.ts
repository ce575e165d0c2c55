import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heardBy, sayInGroup, unreadOf } from '../../testing/chatting.ts';
import { joinGroup, makeGroup } from '../../testing/grouping.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /groups/{group_id}/chat/read', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    group = await makeGroup(world, people.alice, 'Band');
    await joinGroup(world, group, people.alice, people.bob);
  });
  afterAll(() => world.close());

  it('counts what is left, and never goes back', async () => {
    const { alice, bob, carol } = people;
    const ids: string[] = [];
    for (const word of ['one', 'two', 'three']) ids.push((await sayInGroup(world, group, alice, word)).id);
    const read = (token: string, up_to_id?: string) =>
      world.call(`POST /groups/${group.id}/chat/read`, { token, body: { up_to_id } });
    expect(await unreadOf(world, group, bob)).toBe(3);
    expect((await read(bob.token, ids[1])).status).toBe(204);
    expect(await unreadOf(world, group, bob)).toBe(1);
    expect((await read(bob.token, ids[0])).status).toBe(204);
    expect(await unreadOf(world, group, bob)).toBe(1);
    expect(await heardBy(world, bob, 'chat.read')).toEqual([{ group_id: group.id, up_to_id: ids[1], unread_count: 1 }]);
    expect((await read(carol.token, ids[1])).status).toBe(404);
    const elsewhere = await makeGroup(world, bob, 'Other');
    const foreign = await sayInGroup(world, elsewhere, bob, 'x');
    const odd = await read(bob.token, foreign.id);
    expect([odd.status, Object.keys(odd.body.error.fields)]).toEqual([422, ['up_to_id']]);
  });
});
