import { describe, expect, it } from 'vitest';
import { addContact } from '../../testing/steps/contacts.ts';
import { block } from '../../testing/steps/follows.ts';
import { groupTexts, sendGroupMessage } from '../../testing/steps/group-chats.ts';
import {
  addMember,
  createGroup,
  createGroupLink,
  invitesOf,
  inviteToGroup,
  joinByLink,
  joinGroup,
  memberStates,
  prepareGroup,
  readGroup,
} from '../../testing/steps/groups.ts';
import { joinRoom, saveRoom } from '../../testing/steps/rooms.ts';
import { createWidget } from '../../testing/steps/widgets.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('POST /groups/{group_id}/transfer', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Choir', (given) => {
    ({ world, people, group } = given);
  });

  const transfer = (to: { id: string }, by: { token: string }) =>
    world.call(`POST /groups/${group.id}/transfer`, { token: by.token, body: { user_id: to.id } });

  it('removes whom a block separates from the new owner from the call in the room, also as its host', async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    await block(world, carol, bob);
    const { join_code } = await saveRoom(world, `/groups/${group.id}`, alice);
    expect((await joinRoom(world, join_code, carol)).status).toBe(200);
    expect((await joinRoom(world, join_code, bob)).status).toBe(404);
    expect((await transfer(bob, alice)).status).toBe(200);
    expect((await joinRoom(world, join_code, carol)).status).toBe(404);
    expect((await joinRoom(world, join_code, bob)).status).toBe(200);
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('makes a member the owner, and the owner a member who reads what they have read', async () => {
    const { alice, bob, carol } = people;
    await sendGroupMessage(world, group, alice, 'Before');
    await addMember(
      world,
      group,
      await addContact(world, alice, { name: 'Aunt', phones: [{ number: '+14155550177' }] }),
      alice,
    );
    await inviteToGroup(world, group, alice, carol);
    const token = await createGroupLink(world, group, alice);
    const { status, body } = await transfer(bob, alice);
    expect([status, body.role, body.owner.username]).toEqual([200, 'member', 'bob']);
    // Contacts and invites were the former owner's.
    expect(await memberStates(world, group, bob)).toEqual([['alice', 'joined', 'alice']]);
    expect(await invitesOf(world, carol)).toEqual([]);
    expect((await joinByLink(world, token, carol)).status).toBe(410);
    await sendGroupMessage(world, group, bob, 'After');
    for (const reader of [alice, bob])
      expect((await groupTexts(world, group, reader)).toSorted()).toEqual(['After', 'Before']);
    expect((await readGroup(world, group, bob)).role).toBe('owner');
    expect((await world.call(`DELETE /groups/${group.id}`, { token: alice.token })).status).toBe(403);
    expect((await world.call(`POST /groups/${group.id}/leave`, { token: alice.token })).status).toBe(204);
    expect(await memberStates(world, group, bob)).toEqual([]);
  });

  it('ends the memberships of those in a block with the new owner', async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    await block(world, carol, bob);
    expect((await transfer(bob, alice)).status).toBe(200);
    expect(await memberStates(world, group, bob)).toEqual([['alice', 'joined', 'alice']]);
    expect((await world.call(`GET /groups/${group.id}`, { token: carol.token })).status).toBe(404);
  });

  it('shares the widgets of the former owner no longer', async () => {
    const { alice, bob } = people;
    const widget = await createWidget(world, alice, 'choir-desk', { group_id: group.id });
    await transfer(bob, alice);
    const read = (by: { token: string }) => world.call(`GET /widgets/${widget.id}/chat`, { token: by.token });
    expect([(await read(alice)).status, (await read(bob)).status]).toEqual([200, 404]);
  });

  it('keeps the other members, who can be called and sent messages', async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    expect((await transfer(bob, alice)).status).toBe(200);
    const states = await memberStates(world, group, carol);
    expect(states.toSorted()).toEqual([
      ['alice', 'joined', 'alice'],
      ['carol', 'joined', 'carol'],
    ]);
    await sendGroupMessage(world, group, carol, 'Still here');
    expect(await groupTexts(world, group, bob)).toEqual(['Still here']);
    const { body } = await world.call('POST /calls', { token: bob.token, body: { to: [{ group_id: group.id }] } });
    const called = body.participants.map(({ user }: { user: { username: string } }) => user.username);
    expect(called.toSorted()).toEqual(['alice', 'bob', 'carol']);
  });

  it('is for the owner, to a member who has joined', async () => {
    const { alice, bob, carol } = people;
    const outsider = await transfer(carol, alice);
    expect([outsider.status, outsider.body.error.fields]).toEqual([422, { user_id: 'is not a member of the group' }]);
    expect((await transfer(alice, alice)).status).toBe(422);
    expect((await transfer(bob, bob)).status).toBe(403);
    expect((await transfer(bob, carol)).status).toBe(404);
  });

  it('is refused when the plan of the new owner has no room', async () => {
    const { alice, bob } = people;
    for (let made = 0; made < 5; made++) await createGroup(world, bob, `Own ${made}`);
    const { status, body } = await transfer(bob, alice);
    expect([status, body.error.code]).toEqual([409, 'limit_reached']);
    expect((await readGroup(world, group, alice)).role).toBe('owner');
  });
});
