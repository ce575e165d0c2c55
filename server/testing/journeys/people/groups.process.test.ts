/** Concurrent operations on a group, its members and its contacts: none fails, and no row remains. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, commitImport, previewLines, setReach } from '../../steps/contacts.ts';
import { itemsOf } from '../../steps/follows.ts';
import { addMember, answerInvite, invitesOf, createGroup, removeMember } from '../../steps/groups.ts';
import { findPersonas, type Persona } from '../../world/personas.ts';
import { createWorld, type Answer, type World } from '../../world/world.ts';

type WithId = { id: string };
type Round = { group: WithId; other: WithId; contact: WithId; invite: WithId };

describe('a group', () => {
  let world: World;
  let alice: Persona;
  let bob: Persona;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000', DATABASE_POOL: '10' } });
    ({ alice, bob } = findPersonas());
    await setReach(world, bob, { find: 'everyone' });
  });
  afterAll(() => world.close());

  const requestAs = (persona: Persona, route: string, body?: object) =>
    world.call(route, { token: persona.token, ...(body ? { body } : {}) });

  const operations: Record<string, (round: Round) => Promise<Answer>> = {
    accept: ({ invite }) => answerInvite(world, invite, bob, 'accept'),
    decline: ({ invite }) => answerInvite(world, invite, bob, 'decline'),
    leave: ({ group, contact }) => removeMember(world, group, contact, bob),
    block: () => requestAs(bob, 'POST /blocks', { user_id: alice.id }),
    add: ({ group, contact }) => addMember(world, group, contact, alice),
    'add elsewhere': ({ other, contact }) => addMember(world, other, contact, alice),
    remove: ({ group, contact }) => removeMember(world, group, contact, alice),
    rename: ({ group }) => requestAs(alice, `PATCH /groups/${group.id}`, { name: 'Renamed' }),
    'delete group': ({ group }) => requestAs(alice, `DELETE /groups/${group.id}`),
    'edit contact': ({ contact }) => requestAs(alice, `PATCH /contacts/${contact.id}`, { note: 'Edited' }),
    'delete contact': ({ contact }) => requestAs(alice, `DELETE /contacts/${contact.id}`),
    async import() {
      const preview = await previewLines(world, alice, [`Raced,${bob.mobile_number},raced@x.org`]);
      return commitImport(world, alice, preview.body.preview_id);
    },
  };

  async function setUp(is_member: boolean): Promise<Round> {
    const [group, other] = [await createGroup(world, alice, 'One'), await createGroup(world, alice, 'Two')];
    const contact = await addContact(world, alice, { name: 'Raced', phones: [{ number: bob.mobile_number }] });
    await addMember(world, group, contact, alice);
    const [invite] = await invitesOf(world, bob);
    if (is_member) await answerInvite(world, invite, bob, 'accept');
    return { group, other, contact, invite };
  }

  async function tearDown({ group, other, contact }: Round): Promise<void> {
    const blocks: { user: WithId }[] = await itemsOf(world, '/blocks', bob);
    if (blocks.length > 0) {
      await requestAs(bob, `DELETE /blocks/${alice.id}`);
      // In any order: the block has left no relation between the two that could return.
      expect([await itemsOf(world, '/groups', bob), await invitesOf(world, bob)]).toEqual([[], []]);
    }
    for (const { id } of [group, other]) await requestAs(alice, `DELETE /groups/${id}`);
    await requestAs(alice, `DELETE /contacts/${contact.id}`);
    expect([await itemsOf(world, '/groups', bob), await invitesOf(world, bob)]).toEqual([[], []]);
    const notifications = [
      ...(await itemsOf(world, '/notifications', alice)),
      ...(await itemsOf(world, '/notifications', bob)),
    ];
    expect(notifications).toEqual([]);
  }

  it('remains consistent under concurrent operations', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.shuffledSubarray(Object.keys(operations), { minLength: 3 }),
        async (is_member, picked) => {
          const round = await setUp(is_member);
          const answers = await Promise.all(
            picked.map(async (name) => [name, (await operations[name]?.(round))?.status]),
          );
          expect(answers.filter(([, status]) => Number(status) >= 500)).toEqual([]);
          await tearDown(round);
        },
      ),
      { numRuns: 100, endOnFailure: true },
    );
    await world.settle();
    for (const table of ['groups', 'group_members', 'group_invites']) {
      const { rows } = await world.app.services.db.native.query(`select 1 from ${table}`);
      expect([table, rows]).toEqual([table, []]);
    }
  });
});
