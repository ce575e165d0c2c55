import { describe, expect, it } from 'vitest';
import { groupTexts, sendGroupMessage } from '../../testing/steps/group-chats.ts';
import {
  addMember,
  createGroupLink,
  inviteToGroup,
  joinGroup,
  prepareGroup,
  readGroup,
  setGroupAdmin,
} from '../../testing/steps/groups.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('PUT /groups/{group_id}/admins/{user_id}', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Choir', (given) => {
    ({ world, people, group } = given);
  });

  it('lets a member edit the group, manage its link and delete messages', async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    const message = await sendGroupMessage(world, group, carol, 'Off topic');
    const edit = () => world.call(`PATCH /groups/${group.id}`, { token: bob.token, body: { name: 'Big choir' } });
    const remove = () => world.call(`DELETE /groups/${group.id}/chat/${message.id}`, { token: bob.token });
    expect([(await edit()).status, (await remove()).status]).toEqual([403, 403]);
    expect((await setGroupAdmin(world, group, bob, alice)).status).toBe(204);
    expect((await edit()).body).toMatchObject({ name: 'Big choir', role: 'admin' });
    expect((await remove()).status).toBe(204);
    expect(await groupTexts(world, group, alice)).toEqual([null]);
    await createGroupLink(world, group, bob);
    const { members, role } = await readGroup(world, group, carol);
    expect(role).toBe('member');
    expect(
      members.map((one: { user: { username: string }; is_admin: boolean }) => [one.user.username, one.is_admin]),
    ).toEqual([
      ['bob', true],
      ['carol', false],
    ]);
    // Again, it changes nothing.
    expect((await setGroupAdmin(world, group, bob, alice)).status).toBe(204);
  });

  it('is for the owner, and for members who have joined', async () => {
    const { alice, bob, carol } = people;
    const contact = await inviteToGroup(world, group, alice, carol);
    expect((await setGroupAdmin(world, group, carol, alice)).status).toBe(404);
    expect((await setGroupAdmin(world, group, alice, alice)).status).toBe(404);
    expect((await setGroupAdmin(world, group, bob, bob)).status).toBe(403);
    expect((await setGroupAdmin(world, group, bob, carol)).status).toBe(404);
    await setGroupAdmin(world, group, bob, alice);
    // Admins change neither admins nor contacts, and do not delete the group.
    expect((await setGroupAdmin(world, group, bob, bob)).status).toBe(403);
    expect((await addMember(world, group, contact, bob)).status).toBe(403);
    expect((await world.call(`DELETE /groups/${group.id}`, { token: bob.token })).status).toBe(403);
  });

  it('ends with the membership', async () => {
    const { alice, bob } = people;
    await setGroupAdmin(world, group, bob, alice);
    expect((await world.call(`POST /groups/${group.id}/leave`, { token: bob.token })).status).toBe(204);
    const token = await createGroupLink(world, group, alice);
    await world.call(`POST /group-links/${token}/join`, { token: bob.token });
    expect((await readGroup(world, group, bob)).role).toBe('member');
  });
});
