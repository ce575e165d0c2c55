import { describe, expect, it } from 'vitest';
import { connectMedia } from '../../testing/steps/calls.ts';
import { block } from '../../testing/steps/follows.ts';
import {
  createGroupLink,
  joinByLink,
  joinGroup,
  memberStates,
  prepareGroup,
  setGroupAdmin,
} from '../../testing/steps/groups.ts';
import { joinRoom, saveRoom } from '../../testing/steps/rooms.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('DELETE /groups/{group_id}/people/{user_id}', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Choir', (given) => {
    ({ world, people, group } = given);
  });

  const remove = (user: { id: string }, by: { token: string }) =>
    world.call(`DELETE /groups/${group.id}/people/${user.id}`, { token: by.token });

  it('removes members by the owner and admins, and revokes the link that they may know', async () => {
    const { alice, bob, carol } = people;
    const token = await createGroupLink(world, group, alice);
    expect((await joinByLink(world, token, carol)).status).toBe(200);
    expect((await remove(bob, carol)).status).toBe(403);
    await setGroupAdmin(world, group, bob, alice);
    expect((await remove(carol, bob)).status).toBe(204);
    expect(await memberStates(world, group, alice)).toEqual([['My bob', 'joined', 'bob']]);
    expect((await world.call(`GET /groups/${group.id}`, { token: carol.token })).status).toBe(404);
    const again = await joinByLink(world, token, carol);
    expect([again.status, again.body.error.code]).toEqual([410, 'gone']);
    expect((await remove(carol, bob)).status).toBe(404);
  });

  it('removes them from the call in the room of the group, which ends if nobody else can host it', slow, async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    const { join_code } = await saveRoom(world, `/groups/${group.id}`, alice);
    const { body } = await joinRoom(world, join_code, bob);
    await joinRoom(world, join_code, carol);
    await connectMedia(world, body.room, bob, carol);
    const stateOf = async (who: { id: string }) => {
      const { rows } = await world.app.services.db.native.query(
        'select p.state, c.state as call, c.host_id from call_participants p join calls c on c.id = p.call_id where p.user_id = $1',
        [who.id],
      );
      return rows[0];
    };
    expect((await remove(bob, alice)).status).toBe(204);
    expect(await stateOf(bob)).toEqual({ state: 'left', call: 'live', host_id: carol.id });
    expect((await joinRoom(world, join_code, bob)).status).toBe(404);
    expect((await remove(carol, alice)).status).toBe(204);
    expect(await stateOf(carol)).toEqual({ state: 'left', call: 'ended', host_id: carol.id });
    expect((await joinRoom(world, join_code, alice)).status).toBe(200);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('does not exist for an admin for whom a block hides the member', async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    await setGroupAdmin(world, group, bob, alice);
    await block(world, carol, bob);
    expect((await remove(carol, bob)).status).toBe(404);
    expect((await remove(carol, alice)).status).toBe(204);
  });

  it('removes an admin by the owner alone, and the owner never', async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    for (const admin of [bob, carol]) await setGroupAdmin(world, group, admin, alice);
    expect((await remove(carol, bob)).status).toBe(403);
    expect((await remove(alice, bob)).status).toBe(404);
    expect((await remove(carol, alice)).status).toBe(204);
    expect(await memberStates(world, group, alice)).toEqual([['My bob', 'joined', 'bob']]);
  });
});
