import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectMedia, consoleCall, requestGrants, legsOf, startCall, statesOf } from '../../testing/steps/calls.ts';
import { block } from '../../testing/steps/follows.ts';
import { createFakePhoneParticipants } from '../../testing/providers/fake-phone-participants.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { createOutboxSink } from '../../engines/outbox-sink/memory.ts';
import { createConsoleTelephony } from '../../engines/telephony/console.ts';

describe('POST /console/phone/calls', () => {
  let world: World;
  let people: Personas;
  let call: { join_code: string; conference_id: string; dial_in: { number: string; pin: string } };
  const { phone_participants, joined } = createFakePhoneParticipants();
  beforeAll(async () => {
    const outbox_sink = createOutboxSink({ now: () => new Date(0) });
    const telephony = createConsoleTelephony({ outbox_sink, dial_in_number: '+15005550006', phone_participants });
    world = await createWorld({ engines: { telephony } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);
  beforeEach(async () => {
    call = await startCall(world, people.alice, []);
    await connectMedia(world, call.conference_id, people.alice);
  });
  afterEach(async () => {
    await world.call('DELETE /calls/active', { token: people.alice.token });
    await world.settle();
  });

  const dialIn = (body: object) => consoleCall(world, 'POST', '/console/phone/calls', body);
  const validDialIn = () => ({ from: '+4930555001', digits: call.dial_in.pin });

  it('dials in by the digits of a call; the same number cannot join twice', async () => {
    expect(call.dial_in.number).toBe('+15005550006');
    const { status, body } = await dialIn({ ...validDialIn(), from: '+49 30 555001', tone_hz: 900 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ number: '+4930555001', state: 'answered', sound: { tone_hz: 900, hears_dbov: null } });
    expect(joined.at(-1)?.options).toMatchObject({ room: call.conference_id, name: 'Phone' });
    expect(await statesOf(world, call.join_code, people.alice)).toMatchObject({ Phone: 'joining' });
    const again = await dialIn(validDialIn());
    expect([again.status, again.body.error.code]).toEqual([404, 'not_found']);
    await world.call('DELETE /calls/active', { token: people.alice.token });
    expect((await legsOf(world))[0]).toMatchObject({ leg_id: body.leg_id, state: 'hung_up', sound: null });
    expect(joined.at(-1)?.left).toBe(true);
  });

  it('returns 404 for the phone of a user who is blocked by the host or was removed from the call', async () => {
    const { alice, bob, carol } = people;
    await block(world, alice, bob);
    expect((await dialIn({ ...validDialIn(), from: bob.mobile_number })).status).toBe(404);
    await world.call('PATCH /calls/active', { token: alice.token, body: { privacy: 'public' } });
    await requestGrants(world, call.join_code, carol);
    const { body } = await world.call('GET /calls/active', { token: alice.token });
    const { id } = body.participants.at(-1);
    await world.call(`DELETE /calls/active/participants/${id}`, { token: alice.token });
    expect((await dialIn({ ...validDialIn(), from: carol.mobile_number })).status).toBe(404);
  });

  it('allows five attempts per number', async () => {
    for (let tries = 0; tries < 5; tries++)
      expect((await dialIn({ from: '+4930555002', digits: '00000000' })).status).toBe(404);
    expect((await dialIn({ ...validDialIn(), from: '+4930555002' })).status).toBe(404);
    expect((await dialIn({ ...validDialIn(), from: '+4930555003' })).status).toBe(201);
  });

  it('rejects invalid fields with 422, and an unknown leg with 404', async () => {
    for (const [invalid, field] of [
      [{ from: 'hello' }, 'from'],
      [{ digits: 'hello' }, 'digits'],
      [{ tone_hz: 20 }, 'tone_hz'],
      [{ more: 1 }, 'more'],
    ] as const) {
      const { status, body } = await dialIn({ ...validDialIn(), ...invalid });
      expect([status, Object.keys(body.error.fields)]).toEqual([422, [field]]);
    }
    const unknown = await consoleCall(world, 'POST', '/console/phone/legs/leg_1', { state: 'answered' });
    expect(unknown.status).toBe(404);
  });

  it('returns 503 when the phone cannot join the room, and 404 when a real carrier is configured', async () => {
    const { telephony } = world.app.services;
    const { simulator } = telephony;
    const { join: originalJoin } = phone_participants;
    phone_participants.join = () => Promise.reject(new Error('no room'));
    const { status, body } = await dialIn({ ...validDialIn(), from: '+4930555004' });
    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    phone_participants.join = originalJoin;
    delete telephony.simulator;
    const refused = await dialIn(validDialIn());
    expect([refused.status, refused.body.error.message]).toEqual([
      404,
      'Calls to phones go through the configured carrier.',
    ]);
    if (simulator) telephony.simulator = simulator;
  });
});
