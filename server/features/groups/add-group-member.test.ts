import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach } from '../../testing/steps/contacts.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import {
  addMember,
  answerInvite,
  inviteToGroup,
  invitesOf,
  joinGroup,
  createGroup,
  removeMember,
  memberStates,
} from '../../testing/steps/groups.ts';
import { findPersonas, advanceDays, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /groups/{group_id}/members/{contact_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('adds a contact once, and invites it if it matches an account', async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Choir');
    const plain = await addContact(world, alice, { name: 'Aunt May' });
    const first = await addMember(world, group, plain, alice);
    expect([first.status, first.body]).toMatchObject([201, { contact_id: plain.id, state: 'contact', contact: plain }]);
    const again = await addMember(world, group, plain, alice);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const contact = await inviteToGroup(world, group, alice, bob);
    const [invite, ...others] = await invitesOf(world, bob);
    expect([invite, others]).toMatchObject([
      { group: { id: group.id, name: 'Choir' }, from: { username: 'alice' }, state: 'pending', decided_at: null },
      [],
    ]);
    expect(await itemsOf(world, '/notifications', bob)).toMatchObject([
      { kind: 'group_invite', subject: { type: 'group_invite', id: invite.id }, text: 'alice invited you to Choir' },
    ]);
    expect(await world.events(`user:${bob.id}`)).toContainEqual({ type: 'group.invited', data: { invite } });
    expect((await addMember(world, group, contact, alice)).body.state).toBe('invited');
    // The same user is not invited again through another contact.
    const twin = await addContact(world, alice, { name: 'Bob too', emails: [{ address: bob.email }] });
    expect((await addMember(world, group, twin, alice)).body.state).toBe('contact');
    expect(await invitesOf(world, bob)).toHaveLength(1);
  });

  it('does not invite users whose reach excludes the owner, and shows "invited" if only add is excluded', async () => {
    const { alice, carol } = people;
    const group = await createGroup(world, alice, 'Quiet');
    const contact = await addContact(world, alice, { name: 'Carol', phones: [{ number: carol.mobile_number }] });
    expect((await addMember(world, group, contact, alice)).body.state).toBe('contact');
    await setReach(world, carol, { find: 'everyone', add: 'none' });
    expect((await addMember(world, group, contact, alice)).body.state).toBe('invited');
    expect([await invitesOf(world, carol), await itemsOf(world, '/notifications', carol)]).toEqual([[], []]);
    expect((await world.events(`user:${carol.id}`)).filter(({ type }) => type.startsWith('group'))).toEqual([]);
    expect(await itemsOf(world, '/group-invites?state=declined', carol)).toEqual([]);
    const { rows } = await world.app.services.db.native.query('select id from group_invites where quiet');
    expect((await answerInvite(world, rows[0], carol, 'accept')).status).toBe(404);
  });

  it('does not repeat a declined invite within 30 days', async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Again');
    const contact = await inviteToGroup(world, group, alice, bob);
    const mine = async () =>
      (await invitesOf(world, bob)).filter((invite: { group: { id: string } }) => invite.group.id === group.id);
    await answerInvite(world, (await mine())[0], bob, 'decline');
    await addMember(world, group, contact, alice);
    await removeMember(world, group, contact, alice);
    expect((await addMember(world, group, contact, alice)).body.state).toBe('invited');
    expect(await mine()).toEqual([]);
    await advanceDays(world, 31);
    await addMember(world, group, contact, alice);
    expect(await mine()).toHaveLength(1);
  });

  it('invites again at once after the owner has removed the member', async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'In and out');
    const contact = await joinGroup(world, group, alice, bob);
    expect((await removeMember(world, group, contact, alice)).status).toBe(204);
    expect((await addMember(world, group, contact, alice)).status).toBe(201);
    expect(await memberStates(world, group, alice)).toEqual([['My bob', 'invited']]);
  });

  it('is allowed to the owner with own contacts only, and is limited to 100 members', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Full');
    await joinGroup(world, group, alice, bob);
    const [his, hers] = [await addContact(world, bob, {}), await addContact(world, alice, {})];
    expect((await addMember(world, group, his, bob)).body.error.code).toBe('forbidden');
    expect((await addMember(world, group, his, carol)).status).toBe(404);
    expect((await addMember(world, group, his, alice)).status).toBe(404);
    await world.app.services.db.native.query(
      `with created as (
         insert into contacts (id, owner_id, name, phones, emails, im, note, favourite, created_at, updated_at)
         select 'con_' || lpad(n::text, 26, '0'), $1, 'x', '[]', '[]', '[]', '', false, now(), now() from generate_series(1, 99) n
         returning id)
       insert into group_members (group_id, contact_id, added_at) select $2, id, now() from created`,
      [alice.id, group.id],
    );
    const full = await addMember(world, group, hers, alice);
    expect([full.status, full.body.error.code]).toEqual([409, 'limit_reached']);
  });

  it('enforces the limit of 100 members, also for concurrent requests', async () => {
    const { carol } = people;
    const group = await createGroup(world, carol, 'Nearly full');
    await world.app.services.db.native.query(
      `with created as (
         insert into contacts (id, owner_id, name, phones, emails, im, note, favourite, created_at, updated_at)
         select 'con_' || lpad((1000 + n)::text, 26, '0'), $1, 'x', '[]', '[]', '[]', '', false, now(), now()
         from generate_series(1, 99) n returning id)
       insert into group_members (group_id, contact_id, added_at) select $2, id, now() from created`,
      [carol.id, group.id],
    );
    const contacts = [];
    for (let at = 0; at < 4; at++) contacts.push(await addContact(world, carol, {}));
    const answers = await Promise.all(contacts.map((contact) => addMember(world, group, contact, carol)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });
});
