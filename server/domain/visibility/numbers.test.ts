import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  advanceTime,
  connectMedia,
  legsOf,
  requestGrants,
  simulatePhone,
  startCall,
  timeOutRings,
} from '../../testing/steps/calls.ts';
import { addContact, setReach } from '../../testing/steps/contacts.ts';
import { block } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { readJob, runDueJobs, schedule } from '../../testing/steps/scheduled-jobs.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

/** A number without an account. */
const other_number = '+14155550190';

describe('The verified number of an account, across a block,', () => {
  let world: World;
  let people: Personas;
  let contact: { id: string; user: unknown };
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);
  beforeEach(async () => {
    await setReach(world, people.bob, { find: 'everyone' });
    contact = await addContact(world, people.alice, { name: 'Bob', phones: [{ number: people.bob.mobile_number }] });
  });

  const as = ({ token }: { token: string }, body: object = {}) => ({ token, body });
  const targets = () => [{ contact_id: contact.id }, { phone: people.bob.mobile_number }];
  /** Texts and rings that have arrived at bob's phone. */
  const arrived = async () => {
    await world.settle();
    return (await world.sent(people.bob.mobile_number)).filter(({ channel, code }) => channel === 'call' || !code);
  };
  const participantOf = async (number: string) => {
    const { body } = await world.call('GET /calls/active', { token: people.alice.token });
    return body.participants.find(({ phone }: { phone: string | null }) => phone === number);
  };

  it('receives no scheduled text, which is answered and ends like one to another number', async () => {
    const { alice, bob } = people;
    const text = { kind: 'text', body: 'Hello' };
    const jobs = [];
    for (const target of targets()) jobs.push(await schedule(world, alice, { ...text, target }));
    await block(world, bob, alice);
    for (const target of [...targets(), { phone: other_number }])
      jobs.push(await schedule(world, alice, { ...text, target }));
    await runDueJobs(world);
    for (const { id } of jobs)
      expect(await readJob(world, alice, id)).toMatchObject({ state: 'done', last_error: null });
    expect(await arrived()).toEqual([]);
    await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
    await schedule(world, alice, { kind: 'text', target: { phone: bob.mobile_number }, body: 'Hello again' });
    await runDueJobs(world);
    expect(await arrived()).toMatchObject([{ text: 'alice: Hello again' }]);
  });

  it('is called in vain by a scheduled call once the caller has answered', slow, async () => {
    const { alice, bob } = people;
    for (const target of targets()) {
      await block(world, bob, alice);
      const job = await schedule(world, alice, { kind: 'call', target });
      await runDueJobs(world);
      const { body } = await world.call('GET /calls/ringing', { token: alice.token });
      await requestGrants(world, body.items[0].join_code, alice);
      await world.settle();
      expect(await readJob(world, alice, job.id)).toMatchObject({ state: 'done', last_error: null });
      expect(await participantOf(bob.mobile_number)).toMatchObject({ state: 'ringing' });
      await world.call('DELETE /calls/active', { token: alice.token });
      await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
    }
    expect(await arrived()).toEqual([]);
  });

  it('receives no text by command, in both directions of the block, with the answer of another number', async () => {
    const { alice, bob } = people;
    const say = async (to: string) => {
      const { status, body } = await world.call('POST /commands', as(alice, { text: `text ${to} hello` }));
      return [status, JSON.parse(JSON.stringify(body).replaceAll(to, 'NUMBER'))];
    };
    for (const [blocker, blocked] of [
      [bob, alice],
      [alice, bob],
    ] as const) {
      await block(world, blocker, blocked);
      expect(await say(bob.mobile_number)).toEqual(await say(other_number));
      expect((await say('Bob'))[0]).toBe(200);
      await world.call(`DELETE /blocks/${blocked.id}`, { token: blocker.token });
    }
    expect(await arrived()).toEqual([]);
  });

  it('receives no invite by SMS, and its contact does not change', async () => {
    const { alice, bob } = people;
    await setReach(world, bob, { find: 'none' });
    const before = (await world.call(`GET /contacts/${contact.id}`, { token: alice.token })).body;
    await setReach(world, bob, { find: 'everyone' });
    await block(world, bob, alice);
    const invite = await world.call('POST /invites', as(alice, { channel: 'sms', to: bob.mobile_number }));
    expect(invite.status).toBe(201);
    expect((await world.call(`GET /contacts/${contact.id}`, { token: alice.token })).body).toEqual(before);
    expect(await arrived()).toEqual([]);
  });

  it('is called in vain, like a phone that nobody answers', async () => {
    const { alice, bob } = people;
    await block(world, bob, alice);
    await world.call('POST /grid/members', as(alice, { contact_id: contact.id }));
    const ways: [string, object][] = [
      ...targets().map((target): [string, object] => ['POST /calls', { to: [target] }]),
      ['POST /grid/calls', {}],
    ];
    for (const [route, body] of ways) {
      const call = await world.call(route, as(alice, body));
      expect([route, call.status]).toEqual([route, 201]);
      const ring = { state: 'ringing', phone: bob.mobile_number, leg: { state: 'queued' } };
      expect(call.body.participants[1]).toMatchObject(ring);
      await world.settle();
      await advanceTime(world, 3);
      expect(await participantOf(bob.mobile_number)).toMatchObject({ state: 'ringing', leg: { state: 'ringing' } });
      await timeOutRings(world);
      expect(await participantOf(bob.mobile_number)).toMatchObject({ state: 'no_answer', leg: { state: 'no_answer' } });
      await world.call('DELETE /calls/active', { token: alice.token });
    }
    const { rows } = await world.app.services.db.native.query('select sum(cost_micros)::int as cost from call_legs');
    expect([rows, await arrived(), await legsOf(world)]).toEqual([[{ cost: 0 }], [], []]);
  });

  it('is added to a call with the same reply as another number', async () => {
    const { alice, bob, carol } = people;
    await block(world, bob, alice);
    const call = await startCall(world, alice, [carol]);
    await requestGrants(world, call.join_code, carol);
    await connectMedia(world, call.conference_id, alice, carol);
    const bridge = async (number: string) => {
      const { status, body } = await world.call('POST /calls/active/bridge-phone', as(alice, { number }));
      const one = body.participants.at(-1);
      return { status, participant: { ...one, id: '', phone: '', leg: one.leg.state } };
    };
    expect(await bridge(bob.mobile_number)).toEqual(await bridge(other_number));
    const added = await world.call('POST /calls/active/participants', as(alice, { to: targets() }));
    expect(added.status).toBe(201);
    expect(await arrived()).toEqual([]);
    expect(await legsOf(world)).toMatchObject([{ number: other_number }]);
  });

  it('is not rung for a call that the other person hosts, also when a guest calls it', async () => {
    const { alice, bob, carol } = people;
    await block(world, bob, alice);
    const call = await startCall(world, alice, [carol]);
    await requestGrants(world, call.join_code, carol);
    await connectMedia(world, call.conference_id, alice, carol);
    const { status } = await world.call('POST /calls/active/bridge-phone', as(carol, { number: bob.mobile_number }));
    expect([status, await arrived()]).toEqual([201, []]);
  });

  it('stops ringing and leaves the call when the block is created', async () => {
    const { alice, bob } = people;
    for (const [is_answered, state, leg_state] of [
      [false, 'no_answer', 'no_answer'],
      [true, 'left', 'hung_up'],
    ] as const) {
      await world.call('POST /calls', as(alice, { to: [{ phone: bob.mobile_number }] }));
      await world.settle();
      if (is_answered) await simulatePhone(world, bob.mobile_number, 'answered');
      await block(world, bob, alice);
      expect(await participantOf(bob.mobile_number)).toMatchObject({ state, leg: { state: leg_state } });
      await world.call('DELETE /calls/active', { token: alice.token });
      await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
    }
  });
});
