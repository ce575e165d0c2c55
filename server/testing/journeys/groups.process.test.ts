/** Whatever is done to a group, its members and its contacts at the same moment: nothing breaks, and nothing is left over. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, commitImport, previewLines, setReach } from '../contacting.ts';
import { itemsOf } from '../following.ts';
import { addMember, answerInvite, invitesOf, createGroup, removeMember } from '../grouping.ts';
import { findPersonas, type Persona } from '../personas.ts';
import { createWorld, type Answer, type World } from '../world.ts';

type Made = { id: string };
type Round = { group: Made; other: Made; contact: Made; invite: Made };

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

  const as = (who: Persona, route: string, body?: object) =>
    world.call(route, { token: who.token, ...(body ? { body } : {}) });

  const acts: Record<string, (round: Round) => Promise<Answer>> = {
    accept: ({ invite }) => answerInvite(world, invite, bob, 'accept'),
    decline: ({ invite }) => answerInvite(world, invite, bob, 'decline'),
    leave: ({ group, contact }) => removeMember(world, group, contact, bob),
    block: () => as(bob, 'POST /blocks', { user_id: alice.id }),
    add: ({ group, contact }) => addMember(world, group, contact, alice),
    'add elsewhere': ({ other, contact }) => addMember(world, other, contact, alice),
    remove: ({ group, contact }) => removeMember(world, group, contact, alice),
    rename: ({ group }) => as(alice, `PATCH /groups/${group.id}`, { name: 'Renamed' }),
    'delete group': ({ group }) => as(alice, `DELETE /groups/${group.id}`),
    'edit contact': ({ contact }) => as(alice, `PATCH /contacts/${contact.id}`, { note: 'Edited' }),
    'delete contact': ({ contact }) => as(alice, `DELETE /contacts/${contact.id}`),
    async import() {
      const preview = await previewLines(world, alice, [`Raced,${bob.mobile_number},raced@x.org`]);
      return commitImport(world, alice, preview.body.preview_id);
    },
  };

  async function begin(joins: boolean): Promise<Round> {
    const [group, other] = [await createGroup(world, alice, 'One'), await createGroup(world, alice, 'Two')];
    const contact = await addContact(world, alice, { name: 'Raced', phones: [{ number: bob.mobile_number }] });
    await addMember(world, group, contact, alice);
    const [invite] = await invitesOf(world, bob);
    if (joins) await answerInvite(world, invite, bob, 'accept');
    return { group, other, contact, invite };
  }

  async function end({ group, other, contact }: Round): Promise<void> {
    const blocks: { user: Made }[] = await itemsOf(world, '/blocks', bob);
    if (blocks.length > 0) {
      await as(bob, `DELETE /blocks/${alice.id}`);
      // Whatever came first: the block left nothing between the two that could come back.
      expect([await itemsOf(world, '/groups', bob), await invitesOf(world, bob)]).toEqual([[], []]);
    }
    for (const { id } of [group, other]) await as(alice, `DELETE /groups/${id}`);
    await as(alice, `DELETE /contacts/${contact.id}`);
    expect([await itemsOf(world, '/groups', bob), await invitesOf(world, bob)]).toEqual([[], []]);
    const told = [...(await itemsOf(world, '/notifications', alice)), ...(await itemsOf(world, '/notifications', bob))];
    expect(told).toEqual([]);
  }

  it('is left whole by acts at the same moment', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.shuffledSubarray(Object.keys(acts), { minLength: 3 }),
        async (joins, picked) => {
          const round = await begin(joins);
          const answers = await Promise.all(picked.map(async (name) => [name, (await acts[name]?.(round))?.status]));
          expect(answers.filter(([, status]) => Number(status) >= 500)).toEqual([]);
          await end(round);
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
