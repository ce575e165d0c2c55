import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { listen, listenTo, storedTypes } from '../../testing/world/listening.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

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

  const type = (token: string) => world.call(`POST /groups/${group.id}/chat/typing`, { token, body: {} });

  it('sends chat.typing to the other members, except across a block, and stores nothing', slow, async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    const [to_alice, to_bob, to_carol] = [
      await listenTo(world, alice, 'chat.typing'),
      await listenTo(world, bob, 'chat.typing'),
      await listenTo(world, carol, 'chat.typing'),
    ];
    expect((await type(bob.token)).status).toBe(204);
    for (const received of [to_alice, to_carol])
      await expect
        .poll(() => received())
        .toMatchObject([{ group_id: group.id, user: { username: 'bob' }, guest: null }]);
    await world.call('POST /blocks', { token: carol.token, body: { user_id: bob.id } });
    await type(bob.token);
    await expect.poll(() => to_alice().length).toBe(2);
    expect([to_carol().length, to_bob()]).toEqual([1, []]);
    expect((await type(people.uma.token)).status).toBe(403);
    expect(await storedTypes(world)).not.toContain('chat.typing');
  });

  it('has a budget of its own', async () => {
    const { alice } = people;
    world.forget();
    const events = await listen(world, people.bob);
    const answers = [];
    for (let time = 0; time < 61; time++) answers.push((await type(alice.token)).status);
    expect(answers).toEqual([...Array.from({ length: 60 }, () => 204), 429]);
    expect((await world.call('GET /me', { token: alice.token })).status).toBe(200);
    await expect.poll(() => events.filter((event) => event.type === 'chat.typing').length).toBe(60);
    world.forget();
  });
});
