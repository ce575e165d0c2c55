import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../../testing/steps/contacts.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import {
  addMember,
  createGroupLink,
  inviteToGroup,
  invitesOf,
  joinByLink,
  joinGroup,
  createGroup,
  removeMember,
  memberStates,
} from '../../testing/steps/groups.ts';
import { joinRoom, saveRoom } from '../../testing/steps/rooms.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /groups/{group_id}/members/{contact_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('removes a contact, and emits an event to an invited user or member', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Choir');
    const joined = await joinGroup(world, group, alice, bob);
    const invited = await inviteToGroup(world, group, alice, carol);
    const [invite] = await invitesOf(world, carol);
    expect((await removeMember(world, group, invited, alice)).status).toBe(204);
    expect([await invitesOf(world, carol), await itemsOf(world, '/notifications', carol)]).toEqual([[], []]);
    expect(await world.events(`user:${carol.id}`)).toContainEqual({
      type: 'group.invite_withdrawn',
      data: { id: invite.id },
    });
    expect((await removeMember(world, group, joined, alice)).status).toBe(204);
    expect((await world.call(`GET /groups/${group.id}`, { token: bob.token })).status).toBe(404);
    expect(await world.events(`user:${bob.id}`)).toContainEqual({ type: 'group.deleted', data: { id: group.id } });
    expect(await memberStates(world, group, alice)).toEqual([]);
    expect((await removeMember(world, group, joined, alice)).status).toBe(404);
  });

  it('lets a member leave, but not remove others', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Leavers');
    const [his, hers] = [await joinGroup(world, group, alice, bob), await joinGroup(world, group, alice, carol)];
    expect((await removeMember(world, group, hers, bob)).body.error.code).toBe('forbidden');
    expect((await removeMember(world, group, his, bob)).status).toBe(204);
    expect(await memberStates(world, group, alice)).toEqual([
      ['My bob', 'left'],
      ['My carol', 'joined', 'carol'],
    ]);
    expect(await itemsOf(world, '/groups', bob)).toEqual([]);
    expect(await itemsOf(world, '/group-invites?state=accepted', bob)).toEqual([]);
    // Leaving is not declining: the user can be invited again.
    expect((await addMember(world, group, his, alice)).body.state).toBe('invited');
  });

  it('happens when the contact is deleted', async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Contacts');
    const contact = await joinGroup(world, group, alice, bob);
    await addMember(world, group, await addContact(world, alice, { name: 'Stays' }), alice);
    const token = await createGroupLink(world, group, alice);
    const { join_code } = await saveRoom(world, `/groups/${group.id}`, alice);
    expect((await joinRoom(world, join_code, bob)).status).toBe(200);
    await world.call(`DELETE /contacts/${contact.id}`, { token: alice.token });
    expect(await memberStates(world, group, alice)).toEqual([['Stays', 'contact']]);
    expect(await itemsOf(world, '/groups', bob)).toEqual([]);
    expect([(await joinByLink(world, token, bob)).status, (await joinRoom(world, join_code, bob)).status]).toEqual([
      410, 404,
    ]);
    expect((await world.call('GET /calls/active', { token: bob.token })).status).toBe(404);
  });
});
