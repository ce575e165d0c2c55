import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { answerInvite, inviteToGroup, invitesOf, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /group-invites', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists pending invites, newest first, and decided ones by state', async () => {
    const { alice, bob, carol } = people;
    for (const name of ['One', 'Two', 'Three'])
      await inviteToGroup(world, await createGroup(world, alice, name), alice, bob);
    const names = async (query = '', who = bob) =>
      (await itemsOf(world, `/group-invites${query}`, who)).map(({ group }: { group: { name: string } }) => group.name);
    expect(await names()).toEqual(['Three', 'Two', 'One']);
    const [third, second] = await invitesOf(world, bob);
    expect(await names(`?before_id=${second.id}`)).toEqual(['One']);
    await answerInvite(world, third, bob, 'accept');
    await answerInvite(world, second, bob, 'decline');
    expect([await names(), await names('?state=accepted'), await names('?state=declined')]).toEqual([
      ['One'],
      ['Three'],
      ['Two'],
    ]);
    const { id } = third.group;
    expect((await world.call(`POST /groups/${id}/leave`, { token: bob.token, body: {} })).status).toBe(204);
    await world.call(`PATCH /groups/${id}`, { token: alice.token, body: { name: 'Without Bob' } });
    expect(await names('?state=accepted')).toEqual([]);
    expect([await names('', carol), await names('', alice)]).toEqual([[], []]);
  });
});
