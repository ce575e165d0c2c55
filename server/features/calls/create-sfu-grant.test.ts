import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectMedia, requestGrants, advanceTime, startCall, statesOf } from '../../testing/calling.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { restoreBeforeEach } from '../../testing/restore-world.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /calls/{join_code}/sfu-grant', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const ask = (token: string, join_code: string) =>
    world.call(`POST /calls/${join_code}/sfu-grant`, { token, body: {} });
  const end = (token: string) => world.call('DELETE /calls/active', { token });

  it('stops the ring; connected media makes joined, gone media left', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob]);
    const { status, body } = await ask(bob.token, join_code);
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
    const gone = await ask(bob.token, join_code);
    expect([gone.status, gone.body.error.code]).toEqual([410, 'gone']);
  });

  it('gives the rights that a call needs, and none to send data', async () => {
    const { alice, bob } = people;
    const { media } = world.app.services;
    const granted = vi.spyOn(media, 'grant');
    const { join_code } = await startCall(world, alice, [bob]);
    expect((await ask(bob.token, join_code)).status).toBe(200);
    expect(granted.mock.calls.map(([{ rights }]) => rights)).toEqual([
      { publish: true, subscribe: true, data: false, admin: false },
    ]);
    granted.mockRestore();
    await end(alice.token);
  });

  it('gives up whoever does not connect within 30 seconds', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob]);
    await connectMedia(world, conference_id, alice);
    await requestGrants(world, join_code, bob);
    await advanceTime(world, 31);
    expect(await statesOf(world, join_code, bob)).toEqual({ alice: 'joined', bob: 'left' });
    await end(alice.token);
  });

  it('lets in as many as the plan of the host allows, whatever their own is; who has left does not count', async () => {
    const { alice, bob, carol } = people;
    const { native } = world.app.services.db;
    const { join_code, conference_id } = await startCall(world, alice, [], { privacy: 'public' });
    // Seven that nobody needs an account for; together with the host they are the eight of the free plan.
    await native.query(
      `insert into call_participants (id, call_id, name, state, role, silent, joined_at)
       select 'part_test' || n, $1, 'Guest ' || n, 'joined', 'guest', false, now() from generate_series(1, 7) n`,
      [conference_id],
    );
    await native.query(`update users set tier = 'plus' where id = $1`, [bob.id]);
    const refused = await ask(bob.token, join_code);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'plan_limit_reached']);
    await native.query(`update call_participants set state = 'left', left_at = now() where id = 'part_test7'`);
    expect((await ask(bob.token, join_code)).status).toBe(200);
    expect((await ask(bob.token, join_code)).status).toBe(200);
    expect((await ask(carol.token, join_code)).body.error.code).toBe('plan_limit_reached');
    await native.query(`update users set tier = 'plus' where id = $1`, [alice.id]);
    expect((await ask(carol.token, join_code)).status).toBe(200);
    await native.query(`update users set tier = 'free'`);
    await end(alice.token);
  });

  it('lets everybody into a public call, and nobody into a second one', async () => {
    const { alice, carol } = people;
    const open = await startCall(world, alice, [], { privacy: 'public' });
    expect((await ask(carol.token, open.join_code)).status).toBe(200);
    const { bob } = people;
    const other = await startCall(world, bob, [carol]);
    const second = await ask(carol.token, other.join_code);
    expect([second.status, second.body.error.code]).toEqual([409, 'call_in_progress']);
    expect((await statesOf(world, other.join_code, bob))['carol']).toBe('ringing');
  });
});
