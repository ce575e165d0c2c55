import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block } from '../../testing/steps/follows.ts';
import {
  createGroup,
  createGroupLink,
  joinByLink,
  joinGroup,
  memberStates,
  setGroupAdmin,
} from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /groups/{group_id}/people/{user_id}', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    group = await createGroup(world, people.alice, 'Choir');
    await joinGroup(world, group, people.alice, people.bob);
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

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
