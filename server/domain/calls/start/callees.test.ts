import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { consoleCall, inboxOf, legsOf, startCall, statesOf, timeOutRings } from '../../../testing/steps/calls.ts';
import { addContact } from '../../../testing/steps/contacts.ts';
import { block } from '../../../testing/steps/follows.ts';
import { addMember, joinGroup, createGroup } from '../../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../../testing/world/personas.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { slow } from '../../../../testing/slow-tests.ts';

describe('POST /calls to groups and phones', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { PHONE_COUNTRIES: 'US,JM,DE,GB' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(async () => {
    for (const { token } of [people.alice, people.bob]) await world.call('DELETE /calls/active', { token });
    await world.settle();
  });

  const start = (token: string, to: object[], more: object = {}) =>
    world.call('POST /calls', { token, body: { to, ...more } });

  it('rings all members of a group, on their devices or their phones, for any calling member', slow, async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Choir');
    await joinGroup(world, group, alice, bob);
    await joinGroup(world, group, alice, carol);
    const gran = await addContact(world, alice, { name: 'Gran', phones: [{ number: '+493012345678' }] });
    await addMember(world, group, gran, alice);
    const { body: call_of_alice } = await start(alice.token, [{ group_id: group.id }]);
    expect(call_of_alice.group_id).toBe(group.id);
    expect(await statesOf(world, call_of_alice.join_code, bob)).toEqual({
      alice: 'joining',
      bob: 'ringing',
      carol: 'ringing',
      Gran: 'ringing',
    });
    await world.call('DELETE /calls/active', { token: alice.token });
    const { body: call_of_bob } = await start(bob.token, [{ group_id: group.id }]);
    expect((await statesOf(world, call_of_bob.join_code, bob))['alice']).toBe('ringing');
    // The number belongs to a contact of alice: bob's call rings it but masks it.
    const phone = call_of_bob.participants.find((participant: { name: string }) => participant.name === 'Gran').phone;
    expect(phone).toBe('•••••••••••78');
    await world.call('DELETE /calls/active', { token: bob.token });
    const foreign = await start(people.uma.token, [{ group_id: group.id }]);
    expect(foreign.status).toBe(403);
    await block(world, carol, alice);
    const { body: without } = await start(alice.token, [{ group_id: group.id }]);
    expect(without.participants.map((participant: { name: string }) => participant.name)).not.toContain('carol');
    await world.call(`DELETE /blocks/${alice.id}`, { token: carol.token });
  });

  it('does not ring the phone of a blocked user, and reports no_answer', async () => {
    const { alice, bob } = people;
    await block(world, bob, alice);
    const call = await start(alice.token, [{ phone: bob.mobile_number }]);
    // A phone that is rung is queued at first as well.
    expect([call.status, call.body.participants[1]]).toMatchObject([
      201,
      { state: 'ringing', leg: { state: 'queued' } },
    ]);
    await world.settle();
    expect(await world.sent(bob.mobile_number)).not.toContainEqual(expect.objectContaining({ channel: 'call' }));
    await timeOutRings(world);
    const { body } = await world.call('GET /calls/active', { token: alice.token });
    expect(body.participants[1]).toMatchObject({ state: 'no_answer', leg: { state: 'no_answer' } });
    await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
  });

  it('does not ring a user in do-not-disturb mode, and leaves a missed call', async () => {
    const { alice, bob } = people;
    const until = new Date(world.clock.now().getTime() + 3600_000).toISOString();
    const set = await world.call('PATCH /me', { token: bob.token, body: { do_not_disturb_until: until } });
    expect([set.status, set.body.do_not_disturb_until]).toEqual([200, `${until.slice(0, 19)}Z`]);
    const countRings = async () =>
      (await world.events(`user:${bob.id}`)).filter(({ type }) => type === 'call.ringing').length;
    const before = await countRings();
    const call = await startCall(world, alice, [bob]);
    expect((await statesOf(world, call.join_code, alice))['bob']).toBe('ringing');
    expect(await countRings()).toBe(before);
    await timeOutRings(world);
    expect((await inboxOf(world, bob))[0]).toMatchObject({ kind: 'missed_call', conference_id: call.conference_id });
    await world.call('PATCH /me', { token: bob.token, body: { do_not_disturb_until: null } });
    await world.call('DELETE /calls/active', { token: alice.token });
    await startCall(world, alice, [bob]);
    expect(await countRings()).toBe(before + 1);
  });

  it('applies the cost of Jamaica to its numbers, though they share a code with the United States', async () => {
    const { native } = world.app.services.db;
    await native.query('update call_legs set created_at = $1', [new Date(0)]);
    // A minute to Jamaica costs many times one to the United States: a dollar pays for four of them.
    expect((await start(people.alice.token, [{ phone: '+18762101234' }])).status).toBe(201);
    const { rows } = await native.query('select max_duration_s from call_legs order by id desc limit 1');
    expect(rows).toEqual([{ max_duration_s: 240 }]);
    await native.query('update call_legs set created_at = $1', [new Date(0)]);
  });

  it('changes the state of a simulated phone through the console, forward only', async () => {
    const { alice } = people;
    await start(alice.token, [{ phone: '+4930111222' }]);
    const [leg] = await legsOf(world);
    const setState = (state: string) => consoleCall(world, 'POST', `/console/phone/legs/${leg?.leg_id}`, { state });
    expect((await setState('answered')).body).toMatchObject({ state: 'answered', number: '+4930111222' });
    const back = await setState('ringing');
    expect([back.status, Object.keys(back.body.error.fields)]).toEqual([422, ['state']]);
    expect((await consoleCall(world, 'POST', '/console/phone/legs/leg_x', { state: 'busy' })).status).toBe(404);
  });
});
