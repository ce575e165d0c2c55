import { describe, expect, it } from 'vitest';
import { block, itemsOf } from '../../testing/steps/follows.ts';
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
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('POST /group-links/{token}/join', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Choir', (given) => {
    ({ world, people, group } = given);
  });

  it('makes somebody a member, who reads from then on; again, it changes nothing', async () => {
    const { alice, bob, carol } = people;
    await sendGroupMessage(world, group, alice, 'Before');
    const token = await createGroupLink(world, group, alice);
    for (const _ of [1, 2]) {
      const { status, body } = await joinByLink(world, token, carol);
      expect([status, body.role, body.member_count]).toEqual([200, 'member', 2]);
    }
    await sendGroupMessage(world, group, carol, 'Hello');
    expect(await groupTexts(world, group, carol)).toEqual(['Hello']);
    const { members } = await readGroup(world, group, alice);
    expect(members[1]).toMatchObject({
      contact_id: null,
      contact: null,
      name: 'carol',
      state: 'joined',
      is_admin: false,
    });
    const joined = (await itemsOf(world, '/notifications', alice)).filter(
      ({ kind }: { kind: string }) => kind === 'group_joined',
    );
    expect(joined).toMatchObject([{ actor: { username: 'carol' }, actor_count: 2 }]);
    for (const member of [alice, bob]) expect((await joinByLink(world, token, member)).status).toBe(200);
    expect((await readGroup(world, group, alice)).member_count).toBe(2);
  });

  it('accepts an open invite, and returns a contact who had left to their place', async () => {
    const { alice, bob, carol } = people;
    await inviteToGroup(world, group, alice, carol);
    const token = await createGroupLink(world, group, alice);
    await world.call(`POST /groups/${group.id}/leave`, { token: bob.token });
    for (const user of [bob, carol]) expect((await joinByLink(world, token, user)).status).toBe(200);
    expect(await invitesOf(world, carol)).toEqual([]);
    expect(await memberStates(world, group, alice)).toEqual([
      ['My bob', 'joined', 'bob'],
      ['My carol', 'joined', 'carol'],
    ]);
  });

  it('becomes a contact of the owner in the same place when the owner adds them, and leaves nothing when they leave', async () => {
    const { alice, carol } = people;
    const token = await createGroupLink(world, group, alice);
    await joinByLink(world, token, carol);
    await world.call(`POST /groups/${group.id}/leave`, { token: carol.token });
    expect((await readGroup(world, group, alice)).member_count).toBe(1);
    await joinByLink(world, token, carol);
    const other = await createGroup(world, alice, 'Other');
    const contact = await inviteToGroup(world, other, alice, carol);
    const added = await addMember(world, group, contact, alice);
    expect([added.status, added.body.state, added.body.contact_id]).toEqual([200, 'joined', contact.id]);
    expect((await readGroup(world, group, alice)).member_count).toBe(2);
  });

  it('looks like a removed link to somebody in a block with the owner, and when the group is deleted', async () => {
    const { alice, bob, carol } = people;
    const token = await createGroupLink(world, group, alice);
    const refused = async (user: { token: string }) => {
      const { status, body } = await world.call(`POST /group-links/${token}/join`, { token: user.token });
      return [status, body.error?.message];
    };
    await block(world, carol, alice);
    const gone = await refused(carol);
    expect(gone).toEqual([410, 'This link has expired or was removed.']);
    expect((await world.call(`DELETE /groups/${group.id}`, { token: alice.token })).status).toBe(204);
    expect(await refused(bob)).toEqual(gone);
  });

  it('leaves one row of somebody who joins and leaves again and again, within the budget of changes of groups', async () => {
    const { alice, bob, carol } = people;
    const token = await createGroupLink(world, group, alice);
    const leave = (user: { token: string }) => world.call(`POST /groups/${group.id}/leave`, { token: user.token });
    for (const user of [carol, carol, carol, bob, bob]) {
      expect((await joinByLink(world, token, user)).status).toBe(200);
      expect((await leave(user)).status).toBe(204);
    }
    const { rows } = await world.app.services.db.native.query(
      'select u.username, count(*)::int from group_invites i join users u on u.id = i.user_id where group_id = $1 group by 1 order by 1',
      [group.id],
    );
    expect(rows).toEqual([
      { username: 'bob', count: 1 },
      { username: 'carol', count: 1 },
    ]);
    // The owner still sees that a contact has left.
    expect(await memberStates(world, group, alice)).toEqual([['My bob', 'left']]);
    while (await world.app.services.throttle.tryConsume('shared_update', carol.id)) continue;
    for (const answer of [await joinByLink(world, token, carol), await leave(carol)])
      expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited']);
  });

  it('has at most as many members as a group may have', async () => {
    const { alice, carol } = people;
    const token = await createGroupLink(world, group, alice);
    await world.app.services.db.native.query(
      `insert into group_members (group_id, invite_id, added_at)
       select $1, 'ginv_' || lpad(n::text, 26, '0'), now() from generate_series(1, 99) n`,
      [group.id],
    );
    const { status, body } = await joinByLink(world, token, carol);
    expect([status, body.error.code]).toEqual([409, 'limit_reached']);
  });

  it('calls those who joined, and not their numbers', async () => {
    const { alice, bob, carol } = people;
    await joinByLink(world, await createGroupLink(world, group, alice), carol);
    const { status, body } = await world.call('POST /calls', {
      token: bob.token,
      body: { to: [{ group_id: group.id }] },
    });
    expect(status).toBe(201);
    const called = body.participants.map(({ user }: { user: { username: string } }) => user.username);
    expect(called.toSorted()).toEqual(['alice', 'bob', 'carol']);
    await joinGroup(world, await createGroup(world, alice, 'Rest'), alice, carol);
  });
});
