import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { inboxOf, startCall, timeOutRings } from '../../testing/steps/calls.ts';
import { addContact, setReach } from '../../testing/steps/contacts.ts';
import { createTag, follow } from '../../testing/steps/follows.ts';
import { addMember, createGroup, invitesOf } from '../../testing/steps/groups.ts';
import { openThread, tryMessage } from '../../testing/steps/messages.ts';
import { findPersonas, sessionClock, type Persona, type Personas } from '../../testing/world/personas.ts';
import { tone_opus } from '../../testing/samples/recordings.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

const quota = 60;
const invite_quota = 200;

describe('the budget of first contacts', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);
  beforeEach(() => startBudgetWindow(sessionClock(world)));

  const throttleOf = () => world.app.services.throttle;
  const remaining = async ({ id }: Persona) => (await throttleOf().peek('message_request', id)).remaining;
  const remainingInvites = async ({ id }: Persona) => (await throttleOf().peek('group_invite', id)).remaining;
  const exhaust = async ({ id }: Persona) => {
    await throttleOf().consume('message_request', id, quota);
    await throttleOf().consume('group_invite', id, invite_quota);
  };
  const sendVideomail = ({ token }: Persona, handle: string, fields: Record<string, string> = {}) =>
    world.call(`POST /videomail/${handle}`, { token, ...multipart(tone_opus, 'message', 'video/mp4', fields) });
  const sendText = ({ token }: Persona, handle: string) =>
    world.call(`POST /videomail/${handle}`, { token, body: { body: 'Hello' } });
  const contactOf = (owner: Persona, { mobile_number }: Persona) =>
    addContact(world, owner, { phones: [{ number: mobile_number }] });

  it('is shared by message requests and videomail to strangers; group invites have their own', async () => {
    const { alice, bob, carol } = people;
    expect((await sendVideomail(alice, 'bob')).status).toBe(201);
    expect(await remaining(alice)).toBe(quota - 1);
    expect((await tryMessage(world, await openThread(world, alice, bob), alice, 'Hello')).status).toBe(201);
    expect(await remaining(alice)).toBe(quota - 2);
    await setReach(world, carol, { find: 'everyone' });
    const group = await createGroup(world, alice, 'Choir');
    const contact = await contactOf(alice, carol);
    for (const status of [201, 200]) expect((await addMember(world, group, contact, alice)).status).toBe(status);
    expect(await remainingInvites(alice)).toBe(invite_quota - 1);
    // A refused message costs nothing.
    expect((await sendText(alice, 'bob')).body.error.code).toBe('thread_pending');
    expect(await remaining(alice)).toBe(quota - 2);
  });

  it('refuses strangers when it is used up, stores nothing, and is full again an hour later', async () => {
    const { alice, bob, carol } = people;
    await exhaust(alice);
    for (const refused of [await sendVideomail(alice, 'bob'), await sendText(alice, 'bob')]) {
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(await inboxOf(world, bob)).toEqual([]);
    const files = await world.app.services.db.native.query('select 1 from files where owner_id = $1', [alice.id]);
    expect(files.rowCount).toBe(0);
    expect((await tryMessage(world, await openThread(world, alice, bob), alice, 'Hello')).status).toBe(429);
    await setReach(world, carol, { find: 'everyone' });
    const group = await createGroup(world, alice, 'Choir');
    const contact = await contactOf(alice, carol);
    expect((await addMember(world, group, contact, alice)).status).toBe(429);
    expect(await invitesOf(world, carol)).toEqual([]);
    const plain = await addContact(world, alice, { name: 'Aunt May' });
    expect((await addMember(world, group, plain, alice)).status).toBe(201);
    await sessionClock(world).advance(3600);
    expect((await sendText(alice, 'bob')).status).toBe(201);
  });

  it('is not consumed by an invite or a message to somebody who knows the sender, or missed their call', async () => {
    const { alice, bob, carol } = people;
    await exhaust(alice);
    await follow(world, await createTag(world, alice, 'of-alice'), bob);
    expect((await sendVideomail(alice, 'bob')).status).toBe(201);
    const group = await createGroup(world, alice, 'Choir');
    await setReach(world, bob, { find: 'everyone' });
    expect((await addMember(world, group, await contactOf(alice, bob), alice)).status).toBe(201);
    const { conference_id } = await startCall(world, alice, [carol]);
    await timeOutRings(world);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await sendText(alice, 'carol')).status).toBe(429);
    expect((await sendVideomail(alice, 'carol', { conference_id })).status).toBe(201);
  });

  it('is also consumed by an invite that the recipient never sees, so that the owner cannot tell', async () => {
    const { alice, carol } = people;
    await setReach(world, carol, { find: 'everyone', add: 'none' });
    const group = await createGroup(world, alice, 'Choir');
    expect((await addMember(world, group, await contactOf(alice, carol), alice)).body.state).toBe('invited');
    expect([await remainingInvites(alice), await invitesOf(world, carol)]).toEqual([invite_quota - 1, []]);
  });
});
