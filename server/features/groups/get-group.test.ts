import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectGroupMembers } from '../../domain/contacts/groups.ts';
import { addContact } from '../../testing/steps/contacts.ts';
import { block } from '../../testing/steps/follows.ts';
import {
  addMember,
  inviteToGroup,
  joinGroup,
  createGroup,
  readGroup,
  memberStates,
} from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /groups/{group_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const status = async (id: string, token: string) => (await world.call(`GET /groups/${id}`, { token })).status;

  it('shows contacts to the owner, only names to members, and 404 to others', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Choir');
    const plain = await addContact(world, alice, {
      name: 'Aunt May',
      phones: [{ number: '+14155550190' }],
      note: 'Loud',
    });
    await addMember(world, group, plain, alice);
    await inviteToGroup(world, group, alice, carol);
    expect([await status(group.id, bob.token), await status(group.id, carol.token)]).toEqual([404, 404]);
    await joinGroup(world, group, alice, bob);
    expect(await memberStates(world, group, alice)).toEqual([
      ['Aunt May', 'contact'],
      ['My carol', 'invited'],
      ['My bob', 'joined', 'bob'],
    ]);
    expect((await readGroup(world, group, alice)).members[0].contact).toEqual(plain);
    const seen = await readGroup(world, group, bob);
    expect(seen).toMatchObject({ role: 'member', owner: { username: 'alice' }, member_count: 3 });
    expect(await memberStates(world, group, bob)).toEqual([
      ['Aunt May', 'contact'],
      ['My carol', 'contact'],
      ['bob', 'joined', 'bob'],
    ]);
    expect(JSON.stringify(seen)).not.toMatch(/\+1415|Loud/);
    const membersFor = async (who: string) =>
      (await selectGroupMembers(world.app.services.db, group.id, who)).map(({ name, user, known_as, number }) => [
        name,
        user?.username,
        known_as?.username,
        number,
      ]);
    expect(await membersFor(alice.id)).toEqual([
      ['Aunt May', undefined, undefined, '+14155550190'],
      ['My carol', undefined, 'carol', carol.mobile_number],
      ['bob', 'bob', 'bob', bob.mobile_number],
    ]);
    expect(await membersFor(bob.id)).toEqual([
      ['alice', 'alice', undefined, undefined],
      ['Aunt May', undefined, undefined, '+14155550190'],
      ['My carol', undefined, undefined, carol.mobile_number],
    ]);
  });

  it('hides two members with a block from each other, and keeps both in the group', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Apart');
    await joinGroup(world, group, alice, bob);
    await joinGroup(world, group, alice, carol);
    await block(world, bob, carol);
    expect(await memberStates(world, group, bob)).toEqual([['bob', 'joined', 'bob']]);
    expect(await memberStates(world, group, carol)).toEqual([['carol', 'joined', 'carol']]);
    expect(await memberStates(world, group, alice)).toHaveLength(2);
    const visible = await selectGroupMembers(world.app.services.db, group.id, bob.id);
    expect(visible.map(({ name }) => name)).toEqual(['alice']);
  });

  it('ends a membership with a block between owner and member, without an event to the owner', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Blocked');
    await joinGroup(world, group, alice, bob);
    await inviteToGroup(world, group, alice, carol);
    await block(world, bob, alice);
    await block(world, carol, alice);
    expect(await status(group.id, bob.token)).toBe(404);
    expect(await memberStates(world, group, alice)).toEqual([
      ['My bob', 'left'],
      ['My carol', 'invited'],
    ]);
    for (const who of [bob, carol]) {
      const { body } = await world.call('GET /group-invites', { token: who.token });
      expect(body.items).toEqual([]);
    }
    await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
    expect(await status(group.id, bob.token)).toBe(404);
  });
});
