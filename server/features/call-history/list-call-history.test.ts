import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connectMedia,
  requestGrants,
  advanceTime,
  simulatePhone,
  startCall,
  timeOutRings,
} from '../../testing/steps/calls.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('GET /call-history', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const newest = async (who: Persona) => (await itemsOf(world, '/call-history?limit=1', who))[0];
  const hangUp = async ({ token }: Persona) => {
    await world.call('DELETE /calls/active', { token });
    await world.settle();
  };
  const both = async (field: string) => [(await newest(people.alice))[field], (await newest(people.bob))[field]];

  it('shows an answered call with its duration to both sides', slow, async () => {
    const { alice, bob } = people;
    const call = await startCall(world, alice, [bob]);
    expect(await itemsOf(world, '/call-history', alice)).toEqual([]);
    await requestGrants(world, call.join_code, alice, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    await advanceTime(world, 120);
    await hangUp(alice);
    const mine = await newest(alice);
    expect(mine).toMatchObject({ conference_id: call.conference_id, direction: 'outgoing', outcome: 'answered' });
    expect(mine.duration_s).toBeGreaterThanOrEqual(119);
    expect(mine.duration_s).toBeLessThanOrEqual(122);
    expect(await newest(bob)).toMatchObject({
      direction: 'incoming',
      outcome: 'answered',
      duration_s: mine.duration_s,
    });
    expect(await itemsOf(world, '/call-history', people.carol)).toEqual([]);
  });

  it('distinguishes declined, unanswered and cancelled calls', async () => {
    const { alice, bob } = people;
    const call = await startCall(world, alice, [bob]);
    await world.call(`POST /calls/${call.join_code}/decline`, { token: bob.token, body: {} });
    await hangUp(alice);
    expect(await both('outcome')).toEqual(['declined', 'declined']);
    await startCall(world, alice, [bob]);
    await timeOutRings(world);
    await hangUp(alice);
    expect(await both('outcome')).toEqual(['no_answer', 'missed']);
    await startCall(world, alice, []);
    await hangUp(alice);
    expect((await newest(alice)).outcome).toBe('cancelled');
    expect((await newest(bob)).outcome).toBe('missed');
  });

  it('lists the calls between two users only, with user_id', async () => {
    const { alice, bob, carol } = people;
    const call_of_two = await startCall(world, alice, [bob]);
    await hangUp(alice);
    await startCall(world, alice, [bob, carol]);
    await hangUp(alice);
    const callsWith = async (who: Persona, other: Persona) => itemsOf(world, `/call-history?user_id=${other.id}`, who);
    expect((await callsWith(alice, bob))[0].conference_id).toBe(call_of_two.conference_id);
    expect((await callsWith(bob, alice))[0]).toMatchObject({
      conference_id: call_of_two.conference_id,
      outcome: 'missed',
    });
    for (const { participants } of await callsWith(alice, bob))
      expect(participants.map(({ user }: { user: { id: string } }) => user.id).sort()).toEqual(
        [alice.id, bob.id].sort(),
      );
    expect(await callsWith(alice, carol)).toEqual([]);
    expect(await callsWith(alice, alice)).toEqual([]);
    expect((await world.call('GET /call-history?user_id=bob', { token: alice.token })).status).toBe(422);
  });

  it('shows the state of a phone leg, with the number masked for others', async () => {
    const { alice, bob } = people;
    const number = '+493012345678';
    const { body } = await world.call('POST /calls', {
      token: alice.token,
      body: { to: [{ phone: number }, { user_id: bob.id }] },
    });
    expect(body.participants).toHaveLength(3);
    await simulatePhone(world, number, 'busy');
    await hangUp(alice);
    const { participants } = await newest(alice);
    expect(participants[1]).toMatchObject({ phone: number, state: 'busy', leg: { state: 'busy' } });
    expect((await newest(bob)).participants[1]).toMatchObject({ phone: '•••••••••••78', leg: { state: 'busy' } });
  });

  it('lists a call that continues for a participant who has left it', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob, carol]);
    await requestGrants(world, call.join_code, alice, bob, carol);
    await connectMedia(world, call.conference_id, alice, bob, carol);
    await advanceTime(world, 30);
    await hangUp(bob);
    expect(await newest(bob)).toMatchObject({ conference_id: call.conference_id, outcome: 'answered' });
    expect((await newest(bob)).duration_s).toBeGreaterThan(28);
    expect(await itemsOf(world, '/call-history', alice)).toEqual([]);
    await advanceTime(world, 600);
    await hangUp(alice);
    expect((await newest(alice)).conference_id).toBe(call.conference_id);
    expect((await newest(alice)).duration_s).toBeGreaterThan(628);
    // The call ended later, but not for a participant who had left before.
    expect((await newest(bob)).duration_s).toBeLessThan(40);
  });

  it('shows no duration to a user who missed the call', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, alice, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    await advanceTime(world, 300);
    const to = [{ user_id: carol.id }];
    await world.call('POST /calls/active/participants', { token: alice.token, body: { to } });
    await timeOutRings(world);
    await hangUp(alice);
    expect(await newest(carol)).toMatchObject({ outcome: 'missed', duration_s: 0 });
  });

  it('paginates, and hides blocked users and the calls that they started', async () => {
    const { alice, bob, carol } = people;
    for (const called of [[bob], [carol], [bob, carol]]) {
      await startCall(world, alice, called);
      await hangUp(alice);
    }
    const all = await itemsOf(world, '/call-history', alice);
    expect(all).toHaveLength(3);
    const first = await world.call('GET /call-history?limit=2', { token: alice.token });
    expect(first.body).toEqual({ items: all.slice(0, 2), has_more: true });
    expect(await itemsOf(world, `/call-history?before_id=${all[1].conference_id}`, alice)).toEqual(all.slice(2));
    await block(world, bob, carol);
    const [shared] = await itemsOf(world, '/call-history?limit=1', bob);
    expect(shared.participants.map(({ name }: { name: string }) => name)).toEqual(['alice', 'bob']);
    await block(world, bob, alice);
    expect(await itemsOf(world, '/call-history', bob)).toEqual([]);
    expect(await itemsOf(world, '/call-history', alice)).toHaveLength(3);
    expect(JSON.stringify(await itemsOf(world, '/call-history', alice))).not.toContain('"bob"');
  });
});
