import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { answerInvite, inviteToGroup, invitesOf, createGroup, memberStates } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /group-invites/{invite_id}/decline', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('emits nothing to the owner, and cannot be changed', async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Choir');
    await inviteToGroup(world, group, alice, bob);
    const [invite] = await invitesOf(world, bob);
    const before = await world.events(`user:${alice.id}`);
    expect((await answerInvite(world, invite, bob, 'decline')).status).toBe(204);
    expect(await world.events(`user:${alice.id}`)).toEqual(before);
    expect(await memberStates(world, group, alice)).toEqual([['My bob', 'invited']]);
    expect(await itemsOf(world, '/notifications', bob)).toEqual([]);
    expect((await world.call(`GET /groups/${group.id}`, { token: bob.token })).status).toBe(404);
    const again = await answerInvite(world, invite, bob, 'accept');
    expect([again.status, again.body.error.code]).toEqual([409, 'already_decided']);
  });
});
