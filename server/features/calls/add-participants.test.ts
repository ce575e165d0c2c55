import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  connectMedia,
  inboxOf,
  requestGrants,
  legsOf,
  startCall,
  statesOf,
  timeOutRings,
} from '../../testing/steps/calls.ts';
import { addContact } from '../../testing/steps/contacts.ts';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /calls/active/participants', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);
  afterEach(async () => {
    await world.call('DELETE /calls/active', { token: people.alice.token });
    await world.call('DELETE /calls/active', { token: people.bob.token });
    await world.settle();
  });

  const add = (token: string, to: object[]) => world.call('POST /calls/active/participants', { token, body: { to } });
  const ringsOf = async (id: string) =>
    (await world.events(`user:${id}`)).filter(({ type }) => type === 'call.ringing').length;

  it('lets any participant add a user, who reads the chat from then on, or all with chat_history "all"', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    const send = (token: string, body: string) =>
      world.call(`POST /calls/${call.join_code}/chat`, { token, body: { body } });
    const read = async (token: string) => {
      const { body } = await world.call(`GET /calls/${call.join_code}/chat`, { token });
      return body.items.map((message: { body: string }) => message.body);
    };
    await send(alice.token, 'just the two of us');
    const before = await ringsOf(carol.id);
    const { status, body } = await add(bob.token, [{ user_id: carol.id }]);
    expect([status, body.participants.at(-1)]).toMatchObject([201, { name: 'carol', state: 'ringing' }]);
    expect(await ringsOf(carol.id)).toBe(before + 1);
    await requestGrants(world, call.join_code, carol);
    await send(bob.token, 'hello carol');
    expect(await read(carol.token)).toEqual(['hello carol']);
    expect(await read(bob.token)).toEqual(['hello carol', 'just the two of us']);
    await world.call('PATCH /calls/active', { token: alice.token, body: { chat_history: 'all' } });
    expect(await read(carol.token)).toEqual(['hello carol', 'just the two of us']);
  });

  it('rings users again who did not answer, and not those who are ringing', async () => {
    const { alice, bob } = people;
    const call = await startCall(world, alice, [bob]);
    await connectMedia(world, call.conference_id, alice);
    await timeOutRings(world);
    expect((await statesOf(world, call.join_code, alice))['bob']).toBe('no_answer');
    const before = await ringsOf(bob.id);
    expect((await add(alice.token, [{ user_id: bob.id }])).status).toBe(201);
    expect((await add(alice.token, [{ user_id: bob.id }])).status).toBe(201);
    expect(await ringsOf(bob.id)).toBe(before + 1);
    expect(await statesOf(world, call.join_code, alice)).toEqual({ alice: 'joined', bob: 'ringing' });
  });

  it('rings again on behalf of the new caller, by the reach between the two', slow, async () => {
    const { alice, bob, carol } = people;
    await world.call('PATCH /me', { token: carol.token, body: { reach: { call: 'contacts' } } });
    await follow(world, await createTag(world, bob, 'bobs-ring'), carol);
    const call = await startCall(world, alice, [bob, carol]);
    await requestGrants(world, call.join_code, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    await timeOutRings(world);
    const before = await ringsOf(carol.id);
    // Alice may not ring Carol, but Bob may, and she misses his call.
    await add(bob.token, [{ user_id: carol.id }]);
    expect(await ringsOf(carol.id)).toBe(before + 1);
    await timeOutRings(world);
    expect((await inboxOf(world, carol))[0]).toMatchObject({ kind: 'missed_call', from: { name: 'bob' } });
    // Alice is still not allowed to ring her.
    await add(alice.token, [{ user_id: carol.id }]);
    expect(await ringsOf(carol.id)).toBe(before + 1);
    await world.call('PATCH /me', { token: carol.token, body: { reach: { call: 'everyone' } } });
  });

  it('calls a contact by their account if it matches one, otherwise by phone', async () => {
    const { alice, bob } = people;
    await world.call('PATCH /me', { token: bob.token, body: { reach: { find: 'everyone' } } });
    const known = await addContact(world, alice, {
      name: 'B.',
      phones: [{ label: 'mobile', number: bob.mobile_number }],
    });
    const gran = await addContact(world, alice, { name: 'Gran', phones: [{ label: 'home', number: '+493012345678' }] });
    const nobody = await addContact(world, alice, { name: 'Nobody' });
    await startCall(world, alice, []);
    const { body } = await add(alice.token, [{ contact_id: known.id }, { contact_id: gran.id }]);
    expect(body.participants.slice(1)).toMatchObject([
      { name: 'bob', user: { username: 'bob' }, phone: null, state: 'ringing' },
      { name: 'Gran', user: null, phone: '+493012345678', state: 'ringing' },
    ]);
    expect((await legsOf(world))[0]).toMatchObject({ name: 'Gran' });
    const refused = await add(alice.token, [{ contact_id: gran.id }, { contact_id: nobody.id }]);
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['to.1']]);
    await world.call('DELETE /calls/active', { token: alice.token });
    await startCall(world, bob, []);
    const foreign = await add(bob.token, [{ contact_id: gran.id }]);
    expect([foreign.status, Object.keys(foreign.body.error.fields)]).toEqual([422, ['to.0']]);
  });

  it('shows busy only between users who follow each other', async () => {
    const { alice, carol } = people;
    const carols = await startCall(world, carol, []);
    await requestGrants(world, carols.join_code, carol);
    const call = await startCall(world, alice, []);
    const before = await ringsOf(carol.id);
    await add(alice.token, [{ user_id: carol.id }]);
    expect((await statesOf(world, call.join_code, alice))['carol']).toBe('ringing');
    await world.call('DELETE /calls/active', { token: alice.token });
    for (const [owner, follower] of [
      [alice, carol],
      [carol, alice],
    ] as const) {
      await follow(world, await createTag(world, owner, `${owner.username}s`), follower);
    }
    const second = await startCall(world, alice, [carol]);
    expect((await statesOf(world, second.join_code, alice))['carol']).toBe('busy');
    expect(await ringsOf(carol.id)).toBe(before);
    await world.call('DELETE /calls/active', { token: carol.token });
  });

  it('shows busy to the contacts of a user in a call, and not to those who have that user as a contact', async () => {
    const { alice, bob, carol } = people;
    await addContact(world, bob, { name: 'Alice', phones: [{ number: alice.mobile_number }] });
    await addContact(world, carol, { name: 'Bob', phones: [{ number: bob.mobile_number }] });
    await startCall(world, bob, []);
    const [known, unknown] = [await startCall(world, alice, [bob]), await startCall(world, carol, [bob])];
    expect((await statesOf(world, known.join_code, alice))['bob']).toBe('busy');
    expect((await statesOf(world, unknown.join_code, carol))['bob']).toBe('ringing');
    for (const { token } of [alice, bob, carol]) await world.call('DELETE /calls/active', { token });
  });

  it('rejects a user who has a block with the host, also when another participant adds them', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, bob);
    await block(world, carol, alice);
    const refused = await add(bob.token, [{ user_id: carol.id }]);
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['to.0']]);
    expect((await add(carol.token, [{ user_id: bob.id }])).status).toBe(404);
  });
});
