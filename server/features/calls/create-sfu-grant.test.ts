import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectMedia, requestGrants, advanceTime, startCall, statesOf } from '../../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calls/{join_code}/sfu-grant', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const requestGrant = (token: string, join_code: string) =>
    world.call(`POST /calls/${join_code}/sfu-grant`, { token, body: {} });
  const end = (token: string) => world.call('DELETE /calls/active', { token });

  it('stops the ring; the participant is joined once media is connected, and left once it is disconnected', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob]);
    const { status, body } = await requestGrant(bob.token, join_code);
    expect(status).toBe(200);
    expect(body).toMatchObject({ url: 'ws://media.test', room: conference_id, identity: bob.id });
    expect(body.token).toMatch(new RegExp(`^${conference_id}/${bob.id}/ses_\\w+/0$`));
    expect(body.ice_servers).toEqual([{ urls: ['turn:turn.test'], username: bob.id, credential: 'secret' }]);
    expect(await statesOf(world, join_code, bob)).toEqual({ alice: 'joining', bob: 'joining' });
    await connectMedia(world, conference_id, alice, bob);
    expect(await statesOf(world, join_code, bob)).toEqual({ alice: 'joined', bob: 'joined' });
    const call = (await world.call(`GET /calls/${join_code}`, { token: bob.token })).body;
    expect([call.state, call.participants[1].joined_at]).toEqual(['live', expect.stringMatching(/Z$/)]);
    world.rooms.set(conference_id, new Set([alice.id]));
    await advanceTime(world, 5);
    expect(await statesOf(world, join_code, bob)).toEqual({ alice: 'joined', bob: 'left' });
    await end(alice.token);
    const ended_response = await requestGrant(bob.token, join_code);
    expect([ended_response.status, ended_response.body.error.code]).toEqual([410, 'gone']);
  });

  it('names what the caller has on at the client that a new one replaces', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob]);
    expect((await requestGrant(bob.token, join_code)).body).not.toHaveProperty('sources');
    await connectMedia(world, conference_id, alice, bob);
    const { media } = world.app.services;
    const sources_spy = vi.spyOn(media, 'sourcesOf').mockResolvedValueOnce(['camera']);
    expect((await requestGrant(bob.token, join_code)).body.sources).toEqual(['camera']);
    expect(sources_spy.mock.calls).toEqual([[conference_id, bob.id]]);
    // Without the media server's answer one can still join.
    sources_spy.mockRejectedValueOnce(new Error('no answer'));
    const { status, body } = await requestGrant(bob.token, join_code);
    expect([status, body.sources]).toEqual([200, undefined]);
    sources_spy.mockRestore();
    await end(alice.token);
  });

  it('grants publishing and subscribing, but not sending data', async () => {
    const { alice, bob } = people;
    const { media } = world.app.services;
    const grant_spy = vi.spyOn(media, 'grant');
    const { join_code } = await startCall(world, alice, [bob]);
    expect((await requestGrant(bob.token, join_code)).status).toBe(200);
    expect(grant_spy.mock.calls.map(([{ rights }]) => rights)).toEqual([
      { publish: true, subscribe: true, data: false, admin: false },
    ]);
    grant_spy.mockRestore();
    await end(alice.token);
  });

  it('sets a participant to left who does not connect within 30 seconds', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob]);
    await connectMedia(world, conference_id, alice);
    await requestGrants(world, join_code, bob);
    await advanceTime(world, 31);
    expect(await statesOf(world, join_code, bob)).toEqual({ alice: 'joined', bob: 'left' });
    await end(alice.token);
  });

  it('admits as many participants as the plan of the host allows; those who left do not count', async () => {
    const { alice, bob, carol } = people;
    const { native } = world.app.services.db;
    const { join_code, conference_id } = await startCall(world, alice, [], { privacy: 'public' });
    // Seven participants without accounts; with the host they make the eight of the free plan.
    await native.query(
      `insert into call_participants (id, call_id, name, state, role, suppressed, joined_at)
       select 'part_test' || n, $1, 'Guest ' || n, 'joined', 'guest', false, now() from generate_series(1, 7) n`,
      [conference_id],
    );
    await native.query(`update users set tier = 'plus' where id = $1`, [bob.id]);
    const refused = await requestGrant(bob.token, join_code);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'plan_limit_reached']);
    await native.query(`update call_participants set state = 'left', left_at = now() where id = 'part_test7'`);
    expect((await requestGrant(bob.token, join_code)).status).toBe(200);
    expect((await requestGrant(bob.token, join_code)).status).toBe(200);
    expect((await requestGrant(carol.token, join_code)).body.error.code).toBe('plan_limit_reached');
    await native.query(`update users set tier = 'plus' where id = $1`, [alice.id]);
    expect((await requestGrant(carol.token, join_code)).status).toBe(200);
    await native.query(`update users set tier = 'free'`);
    await end(alice.token);
  });

  it('admits everyone to a public call; a user who is in a call gets 409 for another one', async () => {
    const { alice, carol } = people;
    const open = await startCall(world, alice, [], { privacy: 'public' });
    expect((await requestGrant(carol.token, open.join_code)).status).toBe(200);
    const { bob } = people;
    const other = await startCall(world, bob, [carol]);
    const second = await requestGrant(carol.token, other.join_code);
    expect([second.status, second.body.error.code]).toEqual([409, 'call_in_progress']);
    expect((await statesOf(world, other.join_code, bob))['carol']).toBe('ringing');
  });
});
