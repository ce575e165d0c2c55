import { describe, expect, it } from 'vitest';
import { sendGroupMessage, unreadCount } from '../../testing/steps/group-chats.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import {
  addMember,
  answerInvite,
  createGroup,
  invitesOf,
  joinGroup,
  memberStates,
  prepareGroup,
} from '../../testing/steps/groups.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('POST /groups/{group_id}/leave', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Band', (given) => {
    ({ world, people, group } = given);
  });

  const leave = (token: string) => world.call(`POST /groups/${group.id}/leave`, { token });

  it('removes a member, who can no longer read the chat; the owner cannot leave', async () => {
    const { alice, bob, carol } = people;
    await sendGroupMessage(world, group, alice, 'RoomSession');
    expect((await leave(carol.token)).status).toBe(404);
    const owner = await leave(alice.token);
    expect([owner.status, owner.body.error.code]).toEqual([403, 'forbidden']);
    expect((await leave(bob.token)).status).toBe(204);
    expect(await memberStates(world, group, alice)).toEqual([['My bob', 'left']]);
    expect((await world.call(`GET /groups/${group.id}/chat`, { token: bob.token })).status).toBe(404);
    expect(await unreadCount(world, group, bob)).toBeUndefined();
    expect((await leave(bob.token)).status).toBe(404);
    expect(await invitesOf(world, bob)).toEqual([]);
  });

  it('allows inviting the member again at once, who then reads only new messages', async () => {
    const { alice, bob } = people;
    const band = await createGroup(world, alice, 'Reunion');
    const contact = await joinGroup(world, band, alice, bob);
    expect((await world.call(`POST /groups/${band.id}/leave`, { token: bob.token })).status).toBe(204);
    await sendGroupMessage(world, band, alice, 'Said while away');
    const again = await addMember(world, band, contact, alice);
    expect([again.status, again.body.state]).toEqual([200, 'invited']);
    const [invite] = await invitesOf(world, bob);
    expect((await answerInvite(world, invite, bob, 'accept')).status).toBe(200);
    await sendGroupMessage(world, band, alice, 'Welcome back');
    const messages = await itemsOf(world, `/groups/${band.id}/chat`, bob);
    expect(messages.map(({ body }: { body: string }) => body)).toEqual(['Welcome back']);
  });
});
