import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspendUser } from '../../moderation/suspension.ts';
import { consoleCall, requestGrants, startCall } from '../../../testing/steps/calls.ts';
import { createEvent, shareEvent } from '../../../testing/steps/calendar.ts';
import { createTag, follow } from '../../../testing/steps/follows.ts';
import { inSeconds } from '../../../testing/steps/location.ts';
import { saveRoom } from '../../../testing/steps/rooms.ts';
import { findPersonas, type Persona, type Personas } from '../../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { admitByPin } from './dial-in.ts';
import { slow } from '../../../../testing/slow-tests.ts';

describe('dial-in', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const phone = '+4930555001';
  const dial = async (digits: string, from = phone) =>
    (await consoleCall(world, 'POST', '/console/phone/calls', { from, digits })).status;
  const change = async ({ token }: Persona, body: object) =>
    (await world.call('PATCH /calls/active', { token, body })).body;
  const dialInOf = async ({ token }: Persona, join_code: string) =>
    (await world.call(`GET /calls/${join_code}`, { token })).body.dial_in;
  const lastDialIn = async ({ id }: Persona) => (await world.events(`user:${id}`)).at(-1)?.data.call.dial_in;

  it('refuses unknown phones while the call is locked, like a wrong PIN', async () => {
    const { alice } = people;
    const call = await startCall(world, alice, []);
    expect(await dial(call.dial_in.pin)).toBe(201);
    await consoleCall(world, 'GET', '/console/phone/legs').then(({ body }) =>
      consoleCall(world, 'POST', `/console/phone/legs/${body.items[0].leg_id}`, { state: 'hung_up' }),
    );
    const { dial_in } = await change(alice, { locked: true });
    expect(await dial(dial_in.pin, '+4930555002')).toBe(404);
    expect(await dial(dial_in.pin)).toBe(201);
    await change(alice, { locked: false });
    expect(await dial(dial_in.pin, '+4930555002')).toBe(201);
  });

  it('ends for the phone of an account that is suspended, whose holder does not know the next PIN', async () => {
    const { alice, bob, carol } = people;
    const { dial_in, join_code } = await startCall(world, alice, [carol]);
    expect(await dial(dial_in.pin, bob.mobile_number)).toBe(201);
    expect(await dial(dial_in.pin)).toBe(201);
    await suspendUser(world.app.services, bob.id, { operator: 'olga', reason: 'because' });
    const { rows } = await world.app.services.db.native.query(
      'select phone, state from call_participants where phone is not null',
    );
    const states = Object.fromEntries(rows.map((one) => [one.phone, one.state]));
    expect(states).toEqual({ [bob.mobile_number]: 'left', [phone]: 'joining' });
    expect((await dialInOf(alice, join_code)).pin).not.toBe(dial_in.pin);
    expect(await dial(dial_in.pin, '+4930555004')).toBe(404);
    await requestGrants(world, join_code, carol);
    const { pin } = await dialInOf(carol, join_code);
    await suspendUser(world.app.services, carol.id, { operator: 'olga', reason: 'because' });
    expect((await dialInOf(alice, join_code)).pin).not.toBe(pin);
  });

  it(
    'ends for the phone of somebody who may no longer enter the room or the event, and the PIN changes',
    slow,
    async () => {
      const { alice, bob, carol } = people;
      const { native } = world.app.services.db;
      const stateOfPhone = async () => {
        const { rows } = await native.query(`
        select p.state from call_participants p join calls c on c.id = p.call_id where p.phone is not null and c.state <> 'ended'`);
        return rows.map(({ state }) => state).join();
      };
      /** Alice starts the call of a place, bob dials in from his own phone, and loses the right to be there. */
      const tryPlace = async (join_code: string, lose: () => Promise<unknown>) => {
        await requestGrants(world, join_code, alice);
        const { pin } = await dialInOf(bob, join_code);
        expect(await dial(pin, bob.mobile_number)).toBe(201);
        await lose();
        expect(await stateOfPhone()).toBe('left');
        expect((await dialInOf(alice, join_code)).pin).not.toBe(pin);
        expect(await dial(pin, '+4930555004')).toBe(404);
        await world.call('DELETE /calls/active', { token: alice.token });
      };
      const tag = await createTag(world, alice, 'parlour');
      for (const who of [bob, carol]) await follow(world, tag, who);
      const place = `/xtags/${tag.id}`;
      const { join_code } = await saveRoom(world, place, alice);
      await tryPlace(join_code, () => world.call(`DELETE /followers/${bob.id}`, { token: alice.token }));
      await follow(world, tag, bob);
      await tryPlace(join_code, () => world.call(`DELETE ${place}/follow`, { token: bob.token }));
      await follow(world, tag, bob);
      await tryPlace(join_code, () => saveRoom(world, place, alice, { privacy: 'private' }));
      const times = { starts_at: inSeconds(world, 60), ends_at: inSeconds(world, 3600) };
      const event = await createEvent(world, alice, { ...times, call: { enabled: true } });
      await shareEvent(world, event, alice, [bob]);
      await tryPlace(event.call.join_code, () => shareEvent(world, event, alice, []));
    },
  );

  it('admits no phone that withholds its number after too many wrong PINs of such phones', async () => {
    const { services } = world.app;
    const { dial_in } = await startCall(world, people.alice, []);
    const wrong = dial_in.pin === '00000000' ? '00000001' : '00000000';
    // A carrier identifies such a phone by its call.
    const dialWithheld = (pin: string, carrier_id: string) =>
      admitByPin(services, { from: carrier_id, pin, carrier_id });
    const remainingOf = async () => (await services.throttle.peek('dial_in_guess', 'withheld')).remaining;
    const before = await remainingOf();
    expect(await dialWithheld(wrong, 'CA1')).toBeUndefined();
    expect(await remainingOf()).toBe(before - 1);
    expect(await dial(wrong, '+4930555002')).toBe(404);
    expect(await remainingOf()).toBe(before - 1);
    expect(await dialWithheld(dial_in.pin, 'CA2')).toBeDefined();
    await services.throttle.consume('dial_in_guess', 'withheld', before - 1);
    expect(await dialWithheld(dial_in.pin, 'CA3')).toBeUndefined();
    expect(await dial(dial_in.pin, '+4930555003')).toBe(201);
  });

  it('has another PIN after a lock, a narrower privacy and a removal, which those who left do not learn', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob], { privacy: 'public' });
    await requestGrants(world, call.join_code, bob, carol);
    const pins = [call.dial_in.pin];
    for (const body of [{ locked: true }, { locked: false, privacy: 'private' }]) {
      pins.push((await change(alice, body)).dial_in.pin);
      expect((await change(alice, { chat_history: 'all' })).dial_in.pin).toBe(pins.at(-1));
    }
    expect(await lastDialIn(carol)).toBeNull();
    expect((await lastDialIn(bob)).pin).toBe(pins.at(-1));
    const { token } = alice;
    await world.call(`DELETE /calls/active/participants/${call.participants[1].id}`, { token });
    expect(await lastDialIn(bob)).toBeNull();
    pins.push((await lastDialIn(alice)).pin);
    expect(new Set(pins).size).toBe(4);
    for (const pin of pins.slice(0, -1)) expect(await dial(pin)).toBe(404);
    expect(await dial(pins.at(-1) ?? '')).toBe(201);
  });

  it('is shown to people who are in the call or may join it now', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob], { privacy: 'public' });
    for (const who of [alice, bob, carol]) expect(await dialInOf(who, call.join_code)).toEqual(call.dial_in);
    const { dial_in } = await change(alice, { locked: true });
    for (const who of [alice, bob]) expect(await dialInOf(who, call.join_code)).toEqual(dial_in);
    expect(await dialInOf(carol, call.join_code)).toBeNull();
    await world.call('DELETE /calls/active', { token: alice.token });
    expect(await dialInOf(bob, call.join_code)).toBeNull();
  });
});
