import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  connectMedia,
  requestGrants,
  legsOf,
  advanceTime,
  simulatePhone,
  startCall,
  statesOf,
} from '../../testing/steps/calls.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calls/{join_code}/call-me', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.call('DELETE /calls/active', { token: people.alice.token });
    await world.settle();
  });

  const callMe = (token: string, join_code: string, body = {}) =>
    world.call(`POST /calls/${join_code}/call-me`, { token, body });

  it('answers a call on the phone of the user', async () => {
    const { alice, bob } = people;
    const call = await startCall(world, alice, [bob]);
    await connectMedia(world, call.conference_id, alice);
    const { status, body } = await callMe(bob.token, call.join_code);
    expect(status).toBe(202);
    const participant = body.participants[1];
    expect(participant).toMatchObject({ name: 'bob', phone: null, state: 'joining', leg: { state: 'queued' } });
    expect((await legsOf(world))[0]).toMatchObject({ number: bob.mobile_number });
    await simulatePhone(world, bob.mobile_number, 'answered');
    world.rooms.set(call.conference_id, new Set([alice.id, participant.id]));
    await advanceTime(world, 5);
    expect(await statesOf(world, call.join_code, alice)).toEqual({ alice: 'joined', bob: 'joined' });
    // A user who is connected by phone and by app is one participant.
    world.rooms.set(call.conference_id, new Set([alice.id, participant.id, bob.id]));
    await advanceTime(world, 5);
    await simulatePhone(world, bob.mobile_number, 'hung_up');
    world.rooms.set(call.conference_id, new Set([alice.id, bob.id]));
    await advanceTime(world, 5);
    expect(await statesOf(world, call.join_code, alice)).toEqual({ alice: 'joined', bob: 'joined' });
    world.rooms.set(call.conference_id, new Set([alice.id]));
    await advanceTime(world, 5);
    expect(await statesOf(world, call.join_code, alice)).toEqual({ alice: 'joined', bob: 'left' });
  });

  it('rings the phone once at a time, and rejects other than the verified number', async () => {
    const { alice, bob } = people;
    const call = await startCall(world, alice, [bob]);
    expect((await callMe(bob.token, call.join_code, { number: bob.mobile_number })).status).toBe(202);
    const again = await callMe(bob.token, call.join_code);
    expect([again.status, again.body.error.code]).toEqual([409, 'phone_ringing']);
    const other = await callMe(alice.token, call.join_code, { number: bob.mobile_number });
    expect([other.status, Object.keys(other.body.error.fields)]).toEqual([422, ['number']]);
  });

  it('returns 404 to a participant who is removed during the request', async () => {
    const { alice, bob } = people;
    const call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, bob);
    const client = await world.app.services.db.native.connect();
    let response: ReturnType<typeof callMe>;
    try {
      await client.query('begin');
      await client.query('select 1 from calls where id = $1 for update', [call.conference_id]);
      response = callMe(bob.token, call.join_code);
      await waitForLocks(world, 1);
      await client.query(
        `update call_participants set state = 'left', joining_at = null, removed_at = now() where call_id = $1 and user_id = $2`,
        [call.conference_id, bob.id],
      );
      await client.query('commit');
    } finally {
      client.release();
    }
    expect((await response).status).toBe(404);
  });

  it('stops when the phone is not answered; returns 404 to users who are not in the call', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, alice);
    await connectMedia(world, call.conference_id, alice);
    await callMe(bob.token, call.join_code);
    await advanceTime(world, 31);
    expect(await statesOf(world, call.join_code, alice)).toEqual({ alice: 'joined', bob: 'left' });
    expect((await callMe(carol.token, call.join_code)).status).toBe(404);
  });
});
