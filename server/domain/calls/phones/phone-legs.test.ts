import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Admitted, DialIn, LegReport, MediaEvent, Telephony } from '../../../engines/ports.ts';
import { connectMedia, requestGrants, advanceTime, startCall, statesOf } from '../../../testing/calling.ts';
import { findPersonas, type Personas } from '../../../testing/personas.ts';
import { createWorld, type World } from '../../../testing/world.ts';

const number = '+493012345678';

/** A carrier that tells nothing by itself: it is asked, and the media server tells of its phones. */
function createAskedCarrier() {
  const carrier = {
    dialled: [] as string[],
    hung_up: [] as string[],
    looks: 0,
    doors: [] as string[],
    /** What it says of every leg; undefined when it knows of none. */
    says: undefined as string | undefined,
  };
  const telephony: Telephony = {
    dial_in_number: '+15005550006',
    ask_every_s: { ringing: 2, answered: 30 },
    async dial({ leg_id }) {
      carrier.dialled.push(leg_id);
      return { carrier_id: `at-carrier-${leg_id}` };
    },
    hangUp: async (leg_id) => void carrier.hung_up.push(leg_id),
    async look(leg_id) {
      carrier.looks++;
      return carrier.says === undefined ? undefined : { leg_id, code: carrier.says };
    },
    async hear({ attributes }: MediaEvent, admit): Promise<LegReport | undefined> {
      const { pin, leg_id, code } = attributes ?? {};
      if (pin) await admit({ from: 'sip_8f3a', pin, carrier_id: 'a-place' });
      return leg_id && code ? { leg_id, code } : undefined;
    },
    dial_in_route: {
      open: async (room, pin) => void carrier.doors.push(`open ${room} ${pin}`),
      close: async (room) => void carrier.doors.push(`close ${room}`),
    },
    receive: (_request, _admit: (dial_in: DialIn) => Promise<Admitted | undefined>) => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
  return { carrier, telephony };
}

describe('legs at a carrier that is to be asked', () => {
  let world: World;
  let people: Personas;
  const { carrier, telephony } = createAskedCarrier();
  let call: { join_code: string; conference_id: string; dial_in: { pin: string } };
  beforeAll(async () => {
    world = await createWorld({ engines: { telephony } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    carrier.says = undefined;
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
  const gran = async () => (await statesOf(world, call.join_code, people.bob))['Gran'];
  const legOf = async (leg_id: string) => {
    const { rows } = await world.app.services.db.native.query('select state, code from call_legs where id = $1', [
      leg_id,
    ]);
    return rows[0];
  };
  const tell = async (attributes: object) => {
    const raw = JSON.stringify({ room: call.conference_id, kind: 'participant_joined', attributes });
    const headers = { 'content-type': 'application/webhook+json' };
    expect((await world.call('POST /media/webhook', { raw, headers })).status).toBe(200);
    await world.settle();
  };
  const enter = async (part_id: string) => {
    world.rooms.set(call.conference_id, new Set([people.alice.id, people.bob.id, part_id]));
    await advanceTime(world, 5);
  };

  it('finds out by asking that a phone rings, was picked up and has hung up', async () => {
    const { part_id, leg_id } = await bridge();
    carrier.says = 'livekit:ringing';
    await advanceTime(world, 2);
    expect(await legOf(leg_id)).toEqual({ state: 'ringing', code: 'livekit:ringing' });
    carrier.says = 'livekit:active';
    await advanceTime(world, 2);
    expect(await gran()).toBe('joining');
    await enter(part_id);
    expect(await gran()).toBe('joined');
    const looks = carrier.looks;
    await advanceTime(world, 20);
    expect(carrier.looks).toBe(looks);
    carrier.says = undefined;
    await advanceTime(world, 15);
    expect([await gran(), await legOf(leg_id)]).toEqual(['left', { state: 'hung_up', code: 'service:hung_up' }]);
    await advanceTime(world, 60);
    expect(carrier.looks).toBe(looks + 1);
  });

  it('waits for a phone of which the carrier knows nothing yet, but not for ever', async () => {
    const { leg_id } = await bridge();
    await advanceTime(world, 2);
    await advanceTime(world, 2);
    expect((await legOf(leg_id)).state).toBe('queued');
    for (const one of [people.alice.id, people.bob.id]) world.rooms.get(call.conference_id)?.add(one);
    await advanceTime(world, 50);
    expect([await gran(), carrier.hung_up.at(-1)]).toEqual(['no_answer', leg_id]);
  });

  it('believes what the media server says of its phones, in any order', async () => {
    const { leg_id } = await bridge();
    await tell({ leg_id, code: 'livekit:user_rejected' });
    expect([await gran(), (await legOf(leg_id)).code]).toEqual(['busy', 'livekit:user_rejected']);
    await tell({ leg_id, code: 'livekit:active' });
    expect(await gran()).toBe('busy');
  });

  it('lets nobody in by the digits of a call that is full, and takes the word of the media server all the same', async () => {
    await world.app.services.db.native.query(
      `insert into call_participants (id, call_id, name, state, role, silent, rung_at)
       select 'part_full' || n, $1, 'Guest ' || n, 'ringing', 'guest', false, now() + interval '1 day' from generate_series(1, 6) n`,
      [call.conference_id],
    );
    await tell({ pin: call.dial_in.pin });
    const { rows } = await world.app.services.db.native.query(
      `select 1 from call_participants where call_id = $1 and name = 'Phone'`,
      [call.conference_id],
    );
    expect(rows).toEqual([]);
  });

  it('opens each call to those who type its digits, lets them in, and closes it at its end', async () => {
    expect(carrier.doors).toContain(`open ${call.conference_id} ${call.dial_in.pin}`);
    await tell({ pin: call.dial_in.pin });
    expect((await statesOf(world, call.join_code, people.bob))['Phone']).toBe('joining');
    await world.call('DELETE /calls/active', { token: people.alice.token });
    await world.settle();
    expect(carrier.doors).toContain(`close ${call.conference_id}`);
  });
});
