import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleCall, requestGrants, startCall } from '../../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /calls/active', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('opens and closes the call if the caller is the host, and emits call.updated to participants', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startCall(world, alice, [bob]);
    const set = (token: string, privacy: string) => world.call('PATCH /calls/active', { token, body: { privacy } });
    const readStatus = async () => (await world.call(`GET /calls/${join_code}`, { token: carol.token })).status;
    expect(await readStatus()).toBe(404);
    const opened = await set(alice.token, 'public');
    expect([opened.status, opened.body.privacy]).toEqual([200, 'public']);
    expect(await readStatus()).toBe(200);
    const last = (await world.events(`user:${bob.id}`)).at(-1);
    expect([last?.type, last?.data.call.privacy]).toEqual(['call.updated', 'public']);
    const count = (await world.events(`user:${bob.id}`)).length;
    await set(alice.token, 'public');
    expect(await world.events(`user:${bob.id}`)).toHaveLength(count);
    await requestGrants(world, join_code, bob);
    const guest = await set(bob.token, 'private');
    expect([guest.status, guest.body.error.code]).toEqual([403, 'forbidden']);
    expect((await set(carol.token, 'public')).status).toBe(404);
    await set(alice.token, 'private');
    expect(await readStatus()).toBe(404);
    await world.call('DELETE /calls/active', { token: alice.token });
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('locks the call for all who were not called', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startCall(world, alice, [bob], { privacy: 'public' });
    const lock = (locked: boolean) => world.call('PATCH /calls/active', { token: alice.token, body: { locked } });
    const join = ({ token }: { token: string }) =>
      world.call(`POST /calls/${join_code}/sfu-grant`, { token, body: {} });
    expect((await lock(true)).body.locked).toBe(true);
    const late = await join(carol);
    expect([late.status, late.body.error.code]).toEqual([409, 'call_locked']);
    expect((await join(bob)).status).toBe(200);
    expect((await lock(false)).body.locked).toBe(false);
    expect((await join(carol)).status).toBe(200);
    for (const who of [alice, bob, carol]) await world.call('DELETE /calls/active', { token: who.token });
  });

  it('locks the call for those as well who came by the link and have left', async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob], { privacy: 'public' });
    const join = ({ token }: { token: string }) =>
      world.call(`POST /calls/${join_code}/sfu-grant`, { token, body: {} });
    const leave = ({ token }: { token: string }) => world.call(`POST /calls/${join_code}/leave`, { token });
    for (const who of [bob, carol]) expect([(await join(who)).status, (await leave(who)).status]).toEqual([200, 204]);
    await join(bob);
    const lock = (locked: boolean) => world.call('PATCH /calls/active', { token: alice.token, body: { locked } });
    await lock(true);
    expect((await join(carol)).body.error.code).toBe('call_locked');
    await leave(bob);
    expect((await join(bob)).status).toBe(200);
    // Who started the call may return, also when somebody else has become its host.
    await leave(alice);
    expect((await join(alice)).status).toBe(200);
    const { rows } = await world.app.services.db.native.query(
      'update call_participants set joining_at = now() where call_id = $1 and user_id = $2 returning state',
      [conference_id, carol.id],
    );
    // As when their connection was lost.
    expect([rows[0].state, (await join(carol)).status]).toEqual(['left', 200]);
    for (const who of [alice, bob, carol]) await world.call('DELETE /calls/active', { token: who.token });
  });

  it('keeps phones that dialled in with the PIN', async () => {
    const { alice } = people;
    const call = await startCall(world, alice, []);
    const digits = call.dial_in.pin;
    const dialled = await consoleCall(world, 'POST', '/console/phone/calls', { from: '+4930555001', digits });
    expect(dialled.status).toBe(201);
    const change = (body: object) => world.call('PATCH /calls/active', { token: alice.token, body });
    expect((await change({ chat_history: 'all' })).body.participants.at(-1).state).toBe('joining');
    await change({ privacy: 'public' });
    expect((await change({ privacy: 'private' })).body.participants.at(-1).state).toBe('joining');
  });
});
