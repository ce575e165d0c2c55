import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  connectMedia,
  requestGrants,
  legsOf,
  advanceTime,
  simulatePhone,
  startCall,
  statesOf,
  timeOutRings,
} from '../../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

const number = '+493012345678';

describe('POST /calls/active/bridge-phone', () => {
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

  const bridge = (body: object) => world.call('POST /calls/active/bridge-phone', { token: people.alice.token, body });
  const start = async () => {
    const call = await startCall(world, people.alice, [people.bob]);
    await requestGrants(world, call.join_code, people.bob);
    await connectMedia(world, call.conference_id, people.alice, people.bob);
    return call;
  };

  it('rings a phone, which joins when it is answered and its audio is connected, and leaves when it hangs up', async () => {
    const { alice, bob } = people;
    const call = await start();
    const { status, body } = await bridge({ number: '+49 30 12345678', name: 'Gran' });
    expect(status).toBe(201);
    const participant = body.participants.at(-1);
    expect(participant).toMatchObject({
      name: 'Gran',
      phone: number,
      user: null,
      state: 'ringing',
      leg: { state: 'queued' },
    });
    expect(participant).not.toHaveProperty('name_is_default');
    await simulatePhone(world, number, 'ringing');
    await simulatePhone(world, number, 'answered');
    expect((await statesOf(world, call.join_code, bob))['Gran']).toBe('joining');
    world.rooms.set(call.conference_id, new Set([alice.id, bob.id, participant.id]));
    await advanceTime(world, 5);
    expect((await statesOf(world, call.join_code, bob))['Gran']).toBe('joined');
    await simulatePhone(world, number, 'hung_up');
    expect((await statesOf(world, call.join_code, bob))['Gran']).toBe('left');
    expect((await legsOf(world))[0]).toMatchObject({ number, state: 'hung_up', code: 'console:hung_up' });
  });

  it('shows the number only to the user who called it, in responses and in events', async () => {
    const { alice, bob } = people;
    const call = await start();
    const nameless = (await bridge({ number })).body.participants.at(-1);
    expect(nameless).toMatchObject({ name: 'Phone', name_is_default: true });
    const readCall = async (token: string) => (await world.call(`GET /calls/${call.join_code}`, { token })).body;
    expect((await readCall(alice.token)).participants.at(-1).phone).toBe(number);
    expect((await readCall(bob.token)).participants.at(-1).phone).toBe('•••••••••••78');
    const lastPhone = async (id: string) =>
      (await world.events(`user:${id}`)).at(-1)?.data.call.participants.at(-1).phone;
    expect([await lastPhone(alice.id), await lastPhone(bob.id)]).toEqual([number, '•••••••••••78']);
    expect(JSON.stringify(await readCall(bob.token))).not.toContain('12345');
  });

  it('uses the masked number as the name for others and in the room if no name is given', async () => {
    const { alice, bob } = people;
    const dialled: string[] = [];
    const { telephony } = world.app.services;
    const { dial } = telephony;
    telephony.dial = (leg) => {
      dialled.push(leg.name);
      return dial(leg);
    };
    const call = await start();
    const to = [{ phone: number }];
    await world.call('POST /calls/active/participants', { token: alice.token, body: { to } });
    await world.settle();
    telephony.dial = dial;
    const readCall = async (token: string) => (await world.call(`GET /calls/${call.join_code}`, { token })).body;
    expect((await readCall(alice.token)).participants.at(-1).name).toBe(number);
    expect((await readCall(bob.token)).participants.at(-1).name).toBe('•••••••••••78');
    expect(JSON.stringify(await world.events(`user:${bob.id}`))).not.toContain('12345678');
    expect(dialled).toEqual(['•••••••••••78']);
  });

  it.each([
    ['busy', 'busy'],
    ['no_answer', 'no_answer'],
    ['failed', 'failed'],
    ['hung_up', 'no_answer'],
  ])('shows the outcome "%s" of a phone as state "%s", and can ring it again', async (outcome, state) => {
    const call = await start();
    await bridge({ number, name: 'Gran' });
    await simulatePhone(world, number, outcome);
    expect((await statesOf(world, call.join_code, people.bob))['Gran']).toBe(state);
    // Rings again with the same request.
    expect((await bridge({ number, name: 'Gran' })).status).toBe(201);
    expect((await statesOf(world, call.join_code, people.bob))['Gran']).toBe('ringing');
    const legs = (await legsOf(world)).filter((leg) => leg.conference_id === call.conference_id);
    expect(legs.map((leg) => leg.state)).toEqual(['queued', outcome]);
  });

  it('stops ringing after the ring time, and hangs up when the call ends', async () => {
    const hung_up: string[] = [];
    world.app.services.telephony.hangUp = async (leg_id) => void hung_up.push(leg_id);
    const call = await start();
    await bridge({ number, name: 'Gran' });
    await world.settle();
    world.rooms.set(call.conference_id, new Set([people.alice.id, people.bob.id]));
    await timeOutRings(world);
    expect((await statesOf(world, call.join_code, people.bob))['Gran']).toBe('no_answer');
    const [leg] = await legsOf(world);
    expect(hung_up).toEqual([leg?.leg_id]);
    await bridge({ number, name: 'Gran' });
    await simulatePhone(world, number, 'answered');
    await world.call('DELETE /calls/active', { token: people.alice.token });
    const [second] = await legsOf(world);
    expect(hung_up).toEqual([leg?.leg_id, second?.leg_id]);
  });

  it('rejects emergency numbers, premium numbers and invalid numbers with 422 and a message for the field', async () => {
    await start();
    for (const [bad, text] of [
      ['112', 'emergency'],
      ['9-1-1', 'emergency'],
      ['+49 900 1234567', 'premium'],
      ['hello', 'international form'],
    ] as const) {
      const { status, body } = await bridge({ number: bad });
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['number']]);
      expect(body.error.fields.number).toContain(text);
    }
  });

  it('enforces the phone budget of the account, by the maximum cost of its calls', async () => {
    await world.app.services.db.native.query('update call_legs set created_at = $1', [new Date(0)]);
    await start();
    // A minute to a country without a separate rate costs 0.25 dollars, so the hourly dollar is used up by four.
    expect((await bridge({ number: '+35318000000' })).status).toBe(201);
    const refused = await bridge({ number: '+35318000001' });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(refused.body.error.message).toContain('allowance');
    // The amount reserved for the first call is released after an hour.
    const wait_s = Number(refused.headers['retry-after']);
    expect(wait_s).toBeGreaterThan(3500);
    expect(wait_s).toBeLessThanOrEqual(3600);
    expect((await world.call('GET /calls/active', { token: people.alice.token })).body.participants).toHaveLength(3);
  });

  it('returns 404 outside of a call', async () => {
    const { status, body } = await bridge({ number });
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  });
});
