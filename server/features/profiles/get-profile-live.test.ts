import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants, advanceTime, startCall } from '../../testing/steps/calls.ts';
import { block, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('GET /profiles/{xtag}/live', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const live = async (name: string, token?: string) => (await world.call(`GET /profiles/${name}/live`, { token })).body;

  it('shows the public call of the owner from its start to its end, and no private one', slow, async () => {
    const { alice, bob } = people;
    await createTag(world, alice, 'host');
    await createTag(world, bob, 'guest');
    expect(await live('host')).toEqual({ live: false });
    const call = await startCall(world, alice, [bob], { privacy: 'public' });
    expect(await live('host')).toEqual({
      live: true,
      join_code: call.join_code,
      participant_count: 1,
      started_at: call.started_at,
    });
    expect(await live('guest')).toEqual({ live: false });
    await requestGrants(world, call.join_code, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    expect((await live('guest')).participant_count).toBe(2);
    const setPrivacy = (privacy: string) =>
      world.call('PATCH /calls/active', { token: alice.token, body: { privacy } });
    expect((await setPrivacy('private')).status).toBe(200);
    expect([await live('host'), await live('guest')]).toEqual([{ live: false }, { live: false }]);
    await setPrivacy('public');
    await connectMedia(world, call.conference_id, bob);
    // The call continues without the user who started it, with another host.
    expect([await live('host'), await live('guest')]).toMatchObject([
      { live: false },
      { live: true, participant_count: 1 },
    ]);
    await connectMedia(world, call.conference_id);
    await advanceTime(world, 61);
    expect([await live('host'), await live('guest')]).toEqual([{ live: false }, { live: false }]);
  });

  it('hides the call of a host who has blocked the viewer', async () => {
    const { alice, bob, carol } = people;
    await createTag(world, bob, 'between');
    const call = await startCall(world, alice, [bob], { privacy: 'public' });
    await requestGrants(world, call.join_code, bob);
    expect((await live('between', carol.token)).live).toBe(true);
    await block(world, alice, carol);
    expect(await live('between', carol.token)).toEqual({ live: false });
    expect((await live('between')).live).toBe(true);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect(await live('between')).toEqual({ live: false });
  });

  it('is not cacheable, and returns 404 for a private profile', async () => {
    const { alice } = people;
    await createTag(world, alice, 'private-host', { visibility: 'private' });
    expect((await world.call('GET /profiles/private-host/live')).status).toBe(404);
    const mine = await world.call('GET /profiles/private-host/live', { token: alice.token });
    expect([mine.status, mine.headers['cache-control']]).toEqual([200, 'no-store']);
  });
});
