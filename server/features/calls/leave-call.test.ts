import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connectMedia,
  requestGrants,
  legsOf,
  advanceTime,
  simulatePhone,
  startCall,
  statesOf,
} from '../../testing/steps/calls.ts';
import { block } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calls/{join_code}/leave', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('removes the caller; an empty call ends after a minute', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob]);
    const leave = (token: string) => world.call(`POST /calls/${join_code}/leave`, { token, body: {} });
    await requestGrants(world, join_code, bob);
    await connectMedia(world, conference_id, alice, bob);
    expect((await leave(bob.token)).status).toBe(204);
    expect((await leave(bob.token)).status).toBe(204);
    expect((await leave(alice.token)).status).toBe(204);
    expect(await statesOf(world, join_code, alice)).toEqual({ alice: 'left', bob: 'left' });
    await advanceTime(world, 50);
    expect((await world.call(`GET /calls/${join_code}`, { token: alice.token })).body.state).toBe('live');
    await advanceTime(world, 11);
    const { body } = await world.call(`GET /calls/${join_code}`, { token: alice.token });
    expect([body.state, body.end_reason]).toEqual(['ended', 'empty']);
    expect((await world.events(`user:${bob.id}`)).at(-1)?.type).toBe('call.ended');
  });

  it('ends a call after a minute if only phones are left in it', async () => {
    const { alice, bob } = people;
    const number = '+493012345678';
    const call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    const bridge = { token: alice.token, body: { number } };
    const { body } = await world.call('POST /calls/active/bridge-phone', bridge);
    await simulatePhone(world, number, 'answered');
    const room = new Set([body.participants.at(-1).id]);
    for (const { token } of [bob, alice]) await world.call(`POST /calls/${call.join_code}/leave`, { token, body: {} });
    world.rooms.set(call.conference_id, room);
    await advanceTime(world, 55);
    expect((await legsOf(world))[0]).toMatchObject({ state: 'answered' });
    await advanceTime(world, 10);
    expect((await legsOf(world))[0]).toMatchObject({ state: 'hung_up' });
    const ended = (await world.events(`user:${bob.id}`)).at(-1);
    expect(ended).toMatchObject({ type: 'call.ended', data: { call: { end_reason: 'empty' } } });
  });

  it('allows joining again while the call continues', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startCall(world, alice, [bob]);
    await requestGrants(world, join_code, bob);
    await world.call(`POST /calls/${join_code}/leave`, { token: bob.token, body: {} });
    await requestGrants(world, join_code, bob);
    expect((await statesOf(world, join_code, bob))['bob']).toBe('joining');
    const stranger = await world.call(`POST /calls/${join_code}/leave`, { token: carol.token, body: {} });
    expect(stranger.status).toBe(404);
  });

  it('makes another participant host, and removes those who have a block with the new host', async () => {
    const { alice, bob, carol } = people;
    await world.call('DELETE /calls/active', { token: alice.token });
    const { join_code, conference_id } = await startCall(world, alice, [bob, carol]);
    await requestGrants(world, join_code, bob, carol);
    await connectMedia(world, conference_id, alice, bob, carol);
    // Both are guests of alice's call, so both stay.
    await block(world, bob, carol);
    expect(Object.values(await statesOf(world, join_code, bob))).toEqual(['joined', 'joined', 'joined']);
    await world.call(`POST /calls/${join_code}/leave`, { token: alice.token, body: {} });
    const { body } = await world.call('GET /calls/active', { token: bob.token });
    expect(body.host.username).toBe('bob');
    const participants = await world.app.services.db.native.query(
      `select u.username, p.state from call_participants p join users u on u.id = p.user_id where p.call_id = $1 order by 1`,
      [conference_id],
    );
    expect(participants.rows.map(({ username, state }) => [username, state])).toEqual([
      ['alice', 'left'],
      ['bob', 'joined'],
      ['carol', 'left'],
    ]);
    expect((await world.call('GET /calls/active', { token: carol.token })).status).toBe(404);
  });
});
