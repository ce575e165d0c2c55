import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestGrants, advanceTime, startCall, statesOf } from '../../testing/steps/calls.ts';
import { follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { terms } from '../../domain/calls/state/call-machine.ts';

describe('POST /calls', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const start = (token: string, body: object) => world.call('POST /calls', { token, body });
  const ringsOf = async (id: string) =>
    (await world.events(`user:${id}`)).filter(({ type }) => type === 'call.ringing');

  it('rings users and owners of tags once each, with call.ringing and a push', async () => {
    const { alice, bob, carol } = people;
    await world.call('POST /xtags', { token: carol.token, body: { name: 'carols' } });
    const to = [{ user_id: bob.id }, { tag: 'CAROLS' }, { user_id: bob.id }];
    const { status, body } = await start(alice.token, { to, media: 'video' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      state: 'ringing',
      privacy: 'private',
      media: 'video',
      ended_at: null,
      group_id: null,
    });
    expect(body.join_code).toMatch(/^[a-z]{3}-[a-z]{4}-[a-z]{3}$/);
    expect(body.host.username).toBe('alice');
    expect(await statesOf(world, body.join_code, bob)).toEqual({ alice: 'joining', bob: 'ringing', carol: 'ringing' });
    for (const { id, username } of [bob, carol]) {
      const rings = await ringsOf(id);
      expect(rings).toHaveLength(1);
      expect(rings[0]?.data.call.conference_id).toBe(body.conference_id);
      expect(await world.sent(username)).toEqual([expect.objectContaining({ channel: 'call' })]);
    }
    expect(await ringsOf(alice.id)).toEqual([]);
  });

  it('returns 409 to a caller who is already in a call', async () => {
    await startCall(world, people.alice, []);
    const { status, body } = await start(people.alice.token, { to: [] });
    expect([status, body.error.code]).toEqual([409, 'call_in_progress']);
    await world.call('DELETE /calls/active', { token: people.alice.token });
  });

  it('starts one call for two concurrent requests', async () => {
    const { alice, bob } = people;
    const startWithBob = () => start(alice.token, { to: [{ user_id: bob.id }] });
    const answers = await Promise.all([startWithBob(), startWithBob()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('stops a ring after the ring time', async () => {
    const { alice, bob } = people;
    const { join_code } = await startCall(world, alice, [bob]);
    await advanceTime(world, terms.ring_s - 5);
    expect((await statesOf(world, join_code, bob))['bob']).toBe('ringing');
    await advanceTime(world, 6);
    expect((await statesOf(world, join_code, bob))['bob']).toBe('no_answer');
    const last = (await world.events(`user:${bob.id}`)).at(-1);
    expect(last?.type).toBe('call.updated');
    await requestGrants(world, join_code, bob);
    expect((await statesOf(world, join_code, bob))['bob']).toBe('joining');
    await world.call('DELETE /calls/active', { token: bob.token });
    await advanceTime(world, 61);
  });

  it('does not ring a user who accepts no calls, and does not reveal that to the caller', async () => {
    const { alice, carol } = people;
    await world.call('PATCH /me', { token: carol.token, body: { reach: { call: 'none' } } });
    const before = (await ringsOf(carol.id)).length;
    const call = await startCall(world, alice, [carol]);
    expect(call.participants[1]).toMatchObject({ name: 'carol', state: 'ringing' });
    expect(await ringsOf(carol.id)).toHaveLength(before);
    expect((await world.call(`GET /calls/${call.join_code}`, { token: carol.token })).status).toBe(404);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('rings according to the reach of the callee: everyone, contacts, mutual or none', async () => {
    const { alice, bob } = people;
    const [hers, his] = [await createTag(world, alice, 'reach-hers'), await createTag(world, bob, 'reach-his')];
    const doesRing = async (call: string) => {
      await world.call('PATCH /me', { token: alice.token, body: { reach: { call } } });
      const before = (await ringsOf(alice.id)).length;
      await startCall(world, bob, [alice]);
      await world.call('DELETE /calls/active', { token: bob.token });
      return (await ringsOf(alice.id)).length > before;
    };
    const ringsByReach = async () => {
      const answers: boolean[] = [];
      for (const reach of ['everyone', 'contacts', 'mutual', 'none']) answers.push(await doesRing(reach));
      return answers;
    };
    expect(await ringsByReach()).toEqual([true, false, false, false]);
    await follow(world, hers, bob);
    expect(await ringsByReach()).toEqual([true, false, false, false]);
    await follow(world, his, alice);
    expect(await ringsByReach()).toEqual([true, true, true, false]);
    await world.call(`DELETE /xtags/${hers.id}/follow`, { token: bob.token });
    expect(await ringsByReach()).toEqual([true, true, false, false]);
  });

  it('names the target that cannot be called', async () => {
    const { alice, bob } = people;
    const self = await start(alice.token, { to: [{ user_id: bob.id }, { user_id: alice.id }] });
    expect([self.status, Object.keys(self.body.error.fields)]).toEqual([422, ['to.1']]);
    const nobody = await start(alice.token, { to: [{ tag: 'no-such-tag' }] });
    expect([nobody.status, Object.keys(nobody.body.error.fields)]).toEqual([422, ['to.0']]);
  });
});
