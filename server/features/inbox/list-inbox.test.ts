import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, inboxOf, requestGrants, startCall, timeOutRings } from '../../testing/steps/calls.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /inbox', () => {
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
    await world.settle();
    await world.app.services.db.native.query('delete from inbox_messages');
  });

  it('contains one missed call per unanswered call, and emits inbox.message', async () => {
    const { alice, bob } = people;
    const call = await startCall(world, alice, [bob]);
    expect(await inboxOf(world, bob)).toEqual([]);
    await timeOutRings(world);
    const [missed, ...others] = await inboxOf(world, bob);
    expect(others).toEqual([]);
    expect(missed).toMatchObject({
      kind: 'missed_call',
      from: { user: { username: 'alice' }, number: null, name: 'alice' },
      body: '',
      file: null,
      transcript: null,
      conference_id: call.conference_id,
      read: false,
    });
    const events = (await world.events(`user:${bob.id}`)).filter(({ type }) => type === 'inbox.message');
    expect(events.at(-1)?.data.message).toEqual(missed);
    // Called and missed again in the same call: a new entry replaces the old one.
    await world.call('POST /calls/active/participants', { token: alice.token, body: { to: [{ user_id: bob.id }] } });
    await timeOutRings(world);
    const again = await inboxOf(world, bob);
    expect(again).toHaveLength(1);
    expect(again[0].id > missed.id).toBe(true);
    expect(await inboxOf(world, alice)).toEqual([]);
  });

  it('contains a cancelled call, and none that was answered or declined', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob, carol]);
    await requestGrants(world, call.join_code, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    await world.call(`POST /calls/${call.join_code}/decline`, { token: carol.token, body: {} });
    await world.call('DELETE /calls/active', { token: alice.token });
    expect([await inboxOf(world, bob), await inboxOf(world, carol)]).toEqual([[], []]);
    await startCall(world, alice, [bob]);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect(await inboxOf(world, bob)).toHaveLength(1);
  });

  it('omits blocked callers, and callers whom the reach of the callee excludes', async () => {
    const { alice, bob, carol } = people;
    await startCall(world, alice, [bob, carol]);
    await timeOutRings(world);
    await block(world, bob, alice);
    expect(await inboxOf(world, bob)).toEqual([]);
    expect((await world.call('GET /inbox/unread-count', { token: bob.token })).body).toEqual({ count: 0 });
    await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
    expect(await inboxOf(world, bob)).toHaveLength(1);
    await world.call('DELETE /calls/active', { token: alice.token });
    await world.call('PATCH /me', { token: carol.token, body: { reach: { call: 'none' } } });
    await world.app.services.db.native.query('delete from inbox_messages');
    await startCall(world, alice, [carol]);
    await timeOutRings(world);
    expect(await inboxOf(world, carol)).toEqual([]);
    await world.call('PATCH /me', { token: carol.token, body: { reach: { call: 'everyone' } } });
  });

  it('paginates newest first, and filters by kind and unread', async () => {
    const { alice, bob } = people;
    for (let at = 0; at < 3; at++) {
      await startCall(world, alice, [bob]);
      await world.call('DELETE /calls/active', { token: alice.token });
    }
    const [newest, middle, oldest] = await inboxOf(world, bob);
    expect((await world.call('GET /inbox?limit=1', { token: bob.token })).body).toEqual({
      items: [newest],
      has_more: true,
    });
    expect(await itemsOf(world, `/inbox?before_id=${newest.id}`, bob)).toEqual([middle, oldest]);
    await world.call(`PATCH /inbox/${middle.id}`, { token: bob.token, body: { read: true } });
    expect(await itemsOf(world, '/inbox?unread=true&kind=missed_call', bob)).toEqual([newest, oldest]);
    expect(await itemsOf(world, '/inbox?kind=voicemail', bob)).toEqual([]);
  });
});
