import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { inviteToGroup, invitesOf, joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, register, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('DELETE /groups/{group_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const rows = async (table: string) =>
    (await world.app.services.db.native.query(`select count(*)::int as n from ${table}`)).rows[0].n;

  it('deletes the group for all members; only the owner may do so, and contacts remain', slow, async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Choir');
    await joinGroup(world, group, alice, bob);
    await inviteToGroup(world, group, alice, carol);
    const remove = (who: typeof bob) => world.call(`DELETE /groups/${group.id}`, { token: who.token });
    expect([(await remove(carol)).status, (await remove(bob)).status]).toEqual([404, 403]);
    expect((await remove(alice)).status).toBe(204);
    expect((await remove(alice)).status).toBe(404);
    expect((await world.events(`user:${bob.id}`)).at(-1)).toEqual({ type: 'group.deleted', data: { id: group.id } });
    expect(await invitesOf(world, carol)).toEqual([]);
    expect(await itemsOf(world, '/notifications', carol)).toEqual([]);
    expect(await itemsOf(world, '/contacts', alice)).toHaveLength(2);
    await world.settle();
    expect([await rows('groups'), await rows('group_members'), await rows('group_invites')]).toEqual([0, 0, 0]);
  });

  it('deletes groups with the account of their owner, and memberships with that of the member', slow, async () => {
    const { bob } = people;
    const dora = await register(world, 'dora', 50);
    const [hers, his] = [await createGroup(world, dora, 'Hers'), await createGroup(world, bob, 'His')];
    await joinGroup(world, hers, dora, bob);
    await joinGroup(world, his, bob, dora);
    await world.call('DELETE /me', { token: dora.token, body: { password: dora.password } });
    expect((await itemsOf(world, '/groups', bob)).map(({ name }: { name: string }) => name)).toEqual(['His']);
    await world.settle();
    const [{ members }] = await itemsOf(world, '/groups', bob);
    expect(members).toMatchObject([{ name: 'My dora', state: 'contact', user: null }]);
    expect([await rows('groups'), await rows('group_invites')]).toEqual([1, 0]);
    expect((await world.events(`user:${bob.id}`)).at(-1)).toEqual({ type: 'group.updated', data: { id: his.id } });
    expect(await itemsOf(world, '/notifications', bob)).toEqual([]);
  });
});
