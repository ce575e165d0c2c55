import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants, advanceTime, startCall, statesOf } from '../../testing/steps/calls.ts';
import { block } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('the state of a participant', () => {
  let world: World;
  let people: Personas;
  let call: { conference_id: string; join_code: string };
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    const { alice, bob } = people;
    await world.call('DELETE /calls/active', { token: alice.token });
    await world.call('DELETE /calls/active', { token: bob.token });
    call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, alice, bob);
    await connectMedia(world, call.conference_id, alice, bob);
  });
  const states = () => statesOf(world, call.join_code, people.alice);

  it('is joining after the media server lost the room, and joined when the clients reconnect', async () => {
    const { alice, bob } = people;
    expect(await states()).toEqual({ alice: 'joined', bob: 'joined' });
    world.rooms.delete(call.conference_id);
    await advanceTime(world, 6);
    expect(await states()).toEqual({ alice: 'joining', bob: 'joining' });
    expect((await world.call('GET /calls/active', { token: bob.token })).status).toBe(200);
    await connectMedia(world, call.conference_id, alice, bob);
    expect(await states()).toEqual({ alice: 'joined', bob: 'joined' });
    await advanceTime(world, 70);
    expect((await world.call('GET /calls/active', { token: bob.token })).body.state).toBe('live');
  });

  it('is joining after a restart though others are back, and left when the client disconnects after that', async () => {
    const { alice, bob } = people;
    const { media, clock } = world.app.services;
    await advanceTime(world, 1);
    Object.assign(media, { began_at: clock.now() });
    try {
      await connectMedia(world, call.conference_id, alice);
      expect(await states()).toEqual({ alice: 'joined', bob: 'joining' });
      expect((await world.call('GET /calls/active', { token: bob.token })).status).toBe(200);
      await connectMedia(world, call.conference_id, alice, bob);
      expect(await states()).toEqual({ alice: 'joined', bob: 'joined' });
      await connectMedia(world, call.conference_id, alice);
      expect(await states()).toEqual({ alice: 'joined', bob: 'left' });
    } finally {
      Object.assign(media, { began_at: undefined });
    }
  });

  it('is left when nobody reconnects to a lost room, and the call ends as empty', async () => {
    world.rooms.delete(call.conference_id);
    await advanceTime(world, 6);
    await advanceTime(world, 31);
    expect(await states()).toEqual({ alice: 'left', bob: 'left' });
    await advanceTime(world, 61);
    const { body } = await world.call(`GET /calls/${call.join_code}`, { token: people.alice.token });
    expect([body.state, body.end_reason]).toEqual(['ended', 'empty']);
  });

  it('is joined again when a disconnected client reconnects', async () => {
    const { alice, bob } = people;
    await connectMedia(world, call.conference_id, alice);
    expect(await states()).toEqual({ alice: 'joined', bob: 'left' });
    await connectMedia(world, call.conference_id, alice, bob);
    expect(await states()).toEqual({ alice: 'joined', bob: 'joined' });
  });

  it('is joined again within seconds when the media server did not answer for anybody once, and reports nothing', async () => {
    const { alice, bob } = people;
    world.rooms.set(call.conference_id, new Set());
    await advanceTime(world, 4);
    expect(await states()).toEqual({ alice: 'left', bob: 'left' });
    // They were connected all the time, so that there is nothing to report.
    world.rooms.set(call.conference_id, new Set([alice.id, bob.id]));
    await advanceTime(world, 4);
    expect(await states()).toEqual({ alice: 'joined', bob: 'joined' });
    expect((await world.call('GET /calls/active', { token: bob.token })).status).toBe(200);
  });

  it('stays left when a client connects after its user has left', async () => {
    const { alice, bob } = people;
    await world.call(`POST /calls/${call.join_code}/leave`, { token: bob.token, body: {} });
    await world.settle();
    await connectMedia(world, call.conference_id, alice, bob);
    expect(await states()).toEqual({ alice: 'joined', bob: 'left' });
    expect([...(world.rooms.get(call.conference_id) ?? [])]).toEqual([alice.id]);
  });

  it('stays left when the user may no longer join: private call, block, suspension', async () => {
    const { alice, bob, carol } = people;
    const { native } = world.app.services.db;
    const set = (privacy: string) => world.call('PATCH /calls/active', { token: alice.token, body: { privacy } });
    await set('public');
    await requestGrants(world, call.join_code, carol);
    await connectMedia(world, call.conference_id, alice, bob, carol);
    await connectMedia(world, call.conference_id, alice, bob);
    await set('private');
    await connectMedia(world, call.conference_id, alice, bob, carol);
    expect(await states()).toEqual({ alice: 'joined', bob: 'joined', carol: 'left' });
    expect([...(world.rooms.get(call.conference_id) ?? [])]).toEqual([alice.id, bob.id]);
    await connectMedia(world, call.conference_id, alice);
    await native.query('update users set suspended_at = now() where id = $1', [bob.id]);
    await connectMedia(world, call.conference_id, alice, bob);
    await native.query('update users set suspended_at = null where id = $1', [bob.id]);
    expect((await states())['bob']).toBe('left');
    await block(world, alice, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    expect((await states())['bob']).toBe('left');
    expect([...(world.rooms.get(call.conference_id) ?? [])]).toEqual([alice.id]);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
  });

  it('is not sent to former participants who may no longer see the call', async () => {
    const { alice, bob, carol } = people;
    const countCallEvents = async (id: string) =>
      (await world.events(`user:${id}`)).filter(({ type }) => type.startsWith('call.')).length;
    const set = (body: object) => world.call('PATCH /calls/active', { token: alice.token, body });
    await set({ privacy: 'public' });
    await requestGrants(world, call.join_code, carol);
    await set({ privacy: 'private' });
    await world.call(`POST /calls/${call.join_code}/leave`, { token: bob.token, body: {} });
    await block(world, alice, bob);
    const before = [await countCallEvents(bob.id), await countCallEvents(carol.id)];
    await set({ chat_history: 'all' });
    expect([await countCallEvents(bob.id), await countCallEvents(carol.id)]).toEqual(before);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
  });

  it('stays declined when a client connects after its user has declined another ring', async () => {
    const { alice, bob } = people;
    await world.call(`POST /calls/${call.join_code}/leave`, { token: bob.token, body: {} });
    const to = [{ user_id: bob.id }];
    await world.call('POST /calls/active/participants', { token: alice.token, body: { to } });
    await world.call(`POST /calls/${call.join_code}/decline`, { token: bob.token, body: {} });
    await connectMedia(world, call.conference_id, alice, bob);
    expect(await states()).toEqual({ alice: 'joined', bob: 'declined' });
    expect([...(world.rooms.get(call.conference_id) ?? [])]).toEqual([alice.id]);
  });

  it('stays left while the user is in another call', async () => {
    const { alice, bob, carol } = people;
    await connectMedia(world, call.conference_id, alice);
    const other_call = await startCall(world, bob, [carol]);
    await connectMedia(world, call.conference_id, alice, bob);
    expect(await states()).toEqual({ alice: 'joined', bob: 'left' });
    expect([...(world.rooms.get(call.conference_id) ?? [])]).toEqual([alice.id]);
    expect((await world.call('GET /calls/active', { token: bob.token })).body.join_code).toBe(other_call.join_code);
  });
});
