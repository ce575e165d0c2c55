import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Admitted, DialIn, LegReport, MediaEvent, Telephony } from '../../../engines/ports.ts';
import {
  connectMedia,
  requestGrants,
  advanceTime,
  startCall,
  statesOf,
  timeOutRings,
} from '../../../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../../../testing/world/personas.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { terms } from '../state/call-machine.ts';
import { slow } from '../../../../testing/slow-tests.ts';

const number = '+493012345678';

/** A carrier that sends no reports: it is polled, and events of the media server report about its phones. */
function createPolledCarrier() {
  const carrier = {
    dialled: [] as string[],
    hung_up: [] as string[],
    lookups: 0,
    routes: [] as string[],
    /** The code that it returns for every leg; undefined when it knows none. */
    reported_code: undefined as string | undefined,
  };
  const telephony: Telephony = {
    dial_in_number: '+15005550006',
    poll_every_s: { ringing: 2, answered: 30 },
    async dial({ leg_id }) {
      carrier.dialled.push(leg_id);
      return { carrier_id: `at-carrier-${leg_id}` };
    },
    hangUp: async (leg_id) => void carrier.hung_up.push(leg_id),
    async fetchLegState(leg_id) {
      carrier.lookups++;
      return carrier.reported_code === undefined ? undefined : { leg_id, code: carrier.reported_code };
    },
    async handleMediaEvent({ attributes }: MediaEvent, admit): Promise<LegReport | undefined> {
      const { pin, leg_id, code } = attributes ?? {};
      if (pin) await admit({ from: 'sip_8f3a', pin, carrier_id: 'a-place' });
      return leg_id && code ? { leg_id, code } : undefined;
    },
    dial_in_route: {
      open: async (room, pin) => void carrier.routes.push(`open ${room} ${pin}`),
      close: async (room) => void carrier.routes.push(`close ${room}`),
    },
    receive: (_request, _admit: (dial_in: DialIn) => Promise<Admitted | undefined>) => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
  return { carrier, telephony };
}

describe('legs of a carrier that is polled', () => {
  let world: World;
  let people: Personas;
  const { carrier, telephony } = createPolledCarrier();
  let call: { join_code: string; conference_id: string; dial_in: { pin: string } };
  beforeAll(async () => {
    world = await createWorld({ engines: { telephony } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    carrier.reported_code = undefined;
    const { alice, bob } = people;
    call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, bob);
    await connectMedia(world, call.conference_id, alice, bob);
  });
  afterEach(async () => {
    await world.call('DELETE /calls/active', { token: people.alice.token });
    await world.settle();
  });

  const bridge = async () => {
    const { token } = people.alice;
    const { status, body } = await world.call('POST /calls/active/bridge-phone', {
      token,
      body: { number, name: 'Gran' },
    });
    expect(status).toBe(201);
    await world.settle();
    return { part_id: body.participants.at(-1).id as string, leg_id: carrier.dialled.at(-1) ?? '' };
  };
  const stateOfGran = async () => (await statesOf(world, call.join_code, people.bob))['Gran'];
  const legOf = async (leg_id: string) => {
    const { rows } = await world.app.services.db.native.query('select state, code from call_legs where id = $1', [
      leg_id,
    ]);
    return rows[0];
  };
  const postWebhook = async (attributes: object) => {
    const raw = JSON.stringify({ room: call.conference_id, kind: 'participant_joined', attributes });
    const headers = { 'content-type': 'application/webhook+json' };
    expect((await world.call('POST /media/webhook', { raw, headers })).status).toBe(200);
    await world.settle();
  };
  const enter = async (part_id: string) => {
    world.rooms.set(call.conference_id, new Set([people.alice.id, people.bob.id, part_id]));
    await advanceTime(world, 5);
  };

  it('finds out by polling that a phone rings, was answered and has hung up', slow, async () => {
    const { part_id, leg_id } = await bridge();
    carrier.reported_code = 'livekit:ringing';
    await advanceTime(world, 2);
    expect(await legOf(leg_id)).toEqual({ state: 'ringing', code: 'livekit:ringing' });
    carrier.reported_code = 'livekit:active';
    await advanceTime(world, 2);
    expect(await stateOfGran()).toBe('joining');
    await enter(part_id);
    expect(await stateOfGran()).toBe('joined');
    const lookups = carrier.lookups;
    await advanceTime(world, 20);
    expect(carrier.lookups).toBe(lookups);
    carrier.reported_code = undefined;
    await advanceTime(world, 15);
    expect([await stateOfGran(), await legOf(leg_id)]).toEqual(['left', { state: 'hung_up', code: 'service:hung_up' }]);
    await advanceTime(world, 60);
    expect(carrier.lookups).toBe(lookups + 1);
  });

  it('waits for a leg that the carrier does not know yet, until the ring times out', slow, async () => {
    const { leg_id } = await bridge();
    await advanceTime(world, 2);
    await advanceTime(world, 2);
    expect((await legOf(leg_id)).state).toBe('queued');
    for (const user_id of [people.alice.id, people.bob.id]) world.rooms.get(call.conference_id)?.add(user_id);
    await advanceTime(world, terms.ring_s + 5);
    expect([await stateOfGran(), carrier.hung_up.at(-1)]).toEqual(['no_answer', leg_id]);
  });

  it('does not dial a number above its budget over all accounts, which looks unanswered', slow, async () => {
    const { throttle } = world.app.services;
    const rung = '+493098765432';
    const { token } = people.alice;
    const ring = async () => {
      const { body } = await world.call('POST /calls/active/bridge-phone', { token, body: { number: rung } });
      await world.settle();
      return body.participants.at(-1).leg.id as string;
    };
    const { remaining } = await throttle.peek('number_ring', rung);
    await throttle.consume('number_ring', rung, remaining - 1);
    const dialled = await ring();
    expect(carrier.dialled.at(-1)).toBe(dialled);
    await world.call('DELETE /calls/active', { token });
    await startCall(world, people.alice, [people.bob]);
    const leg_id = await ring();
    expect([carrier.dialled.at(-1), (await legOf(leg_id)).state]).toEqual([dialled, 'queued']);
    await advanceTime(world, 2);
    expect((await legOf(leg_id)).state).toBe('ringing');
    await timeOutRings(world);
    expect((await legOf(leg_id)).state).toBe('no_answer');
  });

  it('accepts codes of phones from the media server, and ignores a late answer', slow, async () => {
    const { leg_id } = await bridge();
    await postWebhook({ leg_id, code: 'livekit:user_rejected' });
    expect([await stateOfGran(), (await legOf(leg_id)).code]).toEqual(['busy', 'livekit:user_rejected']);
    await postWebhook({ leg_id, code: 'livekit:active' });
    expect(await stateOfGran()).toBe('busy');
  });

  it('admits no phone to a full call, and still accepts the webhook of the media server', slow, async () => {
    await world.app.services.db.native.query(
      `insert into call_participants (id, call_id, name, state, role, suppressed, rung_at)
       select 'part_full' || n, $1, 'Guest ' || n, 'ringing', 'guest', false, now() + interval '1 day' from generate_series(1, 6) n`,
      [call.conference_id],
    );
    await postWebhook({ pin: call.dial_in.pin });
    const { rows } = await world.app.services.db.native.query(
      `select 1 from call_participants where call_id = $1 and name = 'Phone'`,
      [call.conference_id],
    );
    expect(rows).toEqual([]);
  });

  it('opens a dial-in route for each call, admits phones that enter its digits, and closes it at the end', async () => {
    expect(carrier.routes).toContain(`open ${call.conference_id} ${call.dial_in.pin}`);
    await postWebhook({ pin: call.dial_in.pin });
    expect((await statesOf(world, call.join_code, people.bob))['Phone']).toBe('joining');
    const { token } = people.alice;
    const locked = await world.call('PATCH /calls/active', { token, body: { locked: true } });
    await world.settle();
    expect(locked.body.dial_in.pin).not.toBe(call.dial_in.pin);
    expect(carrier.routes.at(-1)).toBe(`open ${call.conference_id} ${locked.body.dial_in.pin}`);
    await world.call('DELETE /calls/active', { token });
    await world.settle();
    expect(carrier.routes).toContain(`close ${call.conference_id}`);
  });
});
