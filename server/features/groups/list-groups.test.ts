import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../../testing/steps/contacts.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { addMember, inviteToGroup, joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /groups', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists groups that the caller owns or is in, newest first, with up to eight members', async () => {
    const { alice, bob } = people;
    const hers = await createGroup(world, alice, 'Hers');
    await joinGroup(world, hers, alice, bob);
    await createGroup(world, bob, 'His');
    const invited = await createGroup(world, alice, 'Asked');
    await inviteToGroup(world, invited, alice, bob);
    const names = async (query = '') =>
      (await itemsOf(world, `/groups${query}`, bob)).map(({ name, role }: { name: string; role: string }) => [
        name,
        role,
      ]);
    expect(await names()).toEqual([
      ['His', 'owner'],
      ['Hers', 'member'],
    ]);
    expect(await names(`?before_id=${(await itemsOf(world, '/groups', bob))[0].id}`)).toEqual([['Hers', 'member']]);
    for (let at = 0; at < 9; at++)
      await addMember(world, hers, await addContact(world, alice, { name: `No ${at}` }), alice);
    const [, group] = await itemsOf(world, '/groups', alice);
    expect([group.member_count, group.members.length]).toEqual([10, 8]);
  });
});
