import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf } from '../../testing/chatting.ts';
import { joinGroup, createGroup } from '../../testing/grouping.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /groups/{group_id}/chat/typing', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    group = await createGroup(world, people.alice, 'Band');
    await joinGroup(world, group, people.alice, people.bob);
  });
  afterAll(() => world.close());

  it('emits chat.typing to the other members, except across a block', async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    const type = (token: string) => world.call(`POST /groups/${group.id}/chat/typing`, { token, body: {} });
    expect((await type(bob.token)).status).toBe(204);
    for (const who of [alice, carol])
      expect(await eventsOf(world, who, 'chat.typing')).toMatchObject([
        { group_id: group.id, user: { username: 'bob' }, guest: null },
      ]);
    expect(await eventsOf(world, bob, 'chat.typing')).toEqual([]);
    await world.call('POST /blocks', { token: carol.token, body: { user_id: bob.id } });
    await type(bob.token);
    expect([
      (await eventsOf(world, carol, 'chat.typing')).length,
      (await eventsOf(world, alice, 'chat.typing')).length,
    ]).toEqual([1, 2]);
    expect((await type(people.uma.token)).status).toBe(403);
  });
});
