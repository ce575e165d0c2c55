import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { answerInvite, inviteToGroup, invitesOf, createGroup, memberStates } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /group-invites/{invite_id}/accept', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('makes the invited user a member, once, and notifies the owner', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Choir');
    await inviteToGroup(world, group, alice, bob);
    const [invite] = await invitesOf(world, bob);
    const none = await answerInvite(world, { id: `ginv_${'0'.repeat(26)}` }, carol, 'accept');
    const foreign = await answerInvite(world, invite, carol, 'accept');
    expect([foreign.status, foreign.body]).toEqual([404, none.body]);
    const accepted = await answerInvite(world, invite, bob, 'accept');
    expect([accepted.status, accepted.body]).toMatchObject([200, { id: invite.id, state: 'accepted' }]);
    expect(accepted.body.decided_at).not.toBe(null);
    expect(await memberStates(world, group, alice)).toEqual([['My bob', 'joined', 'bob']]);
    expect(await itemsOf(world, '/notifications', bob)).toEqual([]);
    expect(await itemsOf(world, '/notifications', alice)).toMatchObject([
      { kind: 'group_joined', subject: { type: 'group', id: group.id }, text: 'bob joined Choir' },
    ]);
    for (const answer of ['accept', 'decline'] as const) {
      const again = await answerInvite(world, invite, bob, answer);
      expect([again.status, again.body.error.code]).toEqual([409, 'already_decided']);
    }
  });

  it('returns 404 when the group is deleted', async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Gone');
    await inviteToGroup(world, group, alice, bob);
    const [invite] = await invitesOf(world, bob);
    await world.call(`DELETE /groups/${group.id}`, { token: alice.token });
    expect((await answerInvite(world, invite, bob, 'accept')).status).toBe(404);
  });
});
