import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestGrants, startCall, statesOf } from '../../testing/steps/calls.ts';
import { requestFollow, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { change } from '../../kernel/services.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { insertBlock } from './queries.ts';

describe('POST /blocks', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const blockUser = (token: string, user_id: string) => world.call('POST /blocks', { token, body: { user_id } });

  it('removes follows, follow requests, notifications and rings between the two, and emits no event of the block', async () => {
    const { alice, bob } = people;
    const [hers, his] = [await createTag(world, alice, 'hers'), await createTag(world, bob, 'his')];
    const closed = await createTag(world, bob, 'his-closed', { follow_policy: 'approval' });
    await follow(world, hers, bob);
    await follow(world, his, alice);
    await requestFollow(world, closed, alice);
    const call_response = await world.call('POST /calls', { token: bob.token, body: { to: [{ user_id: alice.id }] } });
    const first = await blockUser(alice.token, bob.id);
    expect([first.status, first.body.user.username]).toEqual([201, 'bob']);
    const again = await blockUser(alice.token, bob.id);
    expect([again.status, again.body]).toEqual([200, first.body]);
    for (const who of [alice, bob]) {
      for (const path of ['/follows', '/followers', '/follow-requests', '/follow-requests/outgoing', '/notifications'])
        expect(await itemsOf(world, path, who)).toEqual([]);
    }
    const call = await world.call(`GET /calls/${call_response.body.join_code}`, { token: bob.token });
    expect(call.body.participants.map(({ state }: { state: string }) => state)).toContain('no_answer');
    expect((await world.call(`GET /xtags/${hers.id}`, { token: bob.token })).status).toBe(404);
    expect((await world.call(`GET /xtags/${his.id}`, { token: alice.token })).status).toBe(404);
    const types = (await world.events(`user:${bob.id}`)).map(({ type }) => type);
    expect(types.filter((type) => /block/.test(type))).toEqual([]);
  });

  it('ends a ring that the blocked user started in the call of a third user', async () => {
    const { alice, bob, carol } = people;
    await world.call('DELETE /calls/active', { token: bob.token });
    const call = await startCall(world, carol, [bob]);
    await requestGrants(world, call.join_code, bob);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
    const to = [{ user_id: alice.id }];
    expect((await world.call('POST /calls/active/participants', { token: bob.token, body: { to } })).status).toBe(201);
    expect((await statesOf(world, call.join_code, carol))['alice']).toBe('ringing');
    await blockUser(alice.token, bob.id);
    expect((await statesOf(world, call.join_code, carol))['alice']).toBe('no_answer');
    await world.call('DELETE /calls/active', { token: carol.token });
  });

  it('is possible in both directions; blocking oneself or an unknown user is rejected', async () => {
    const { alice, bob } = people;
    expect((await blockUser(bob.token, alice.id)).status).toBe(201);
    const self = await blockUser(alice.token, alice.id);
    expect(Object.keys(self.body.error.fields)).toEqual(['user_id']);
    const nobody = await blockUser(alice.token, `usr_${'0'.repeat(26)}`);
    expect(Object.keys(nobody.body.error.fields)).toEqual(['user_id']);
  });

  it('prevents the notification of a mention that is posted while the block is being committed', async () => {
    const { alice, carol } = people;
    let posted: Promise<{ status: number }> | undefined;
    await change(world.app.services, async (tx) => {
      await lockPair(tx.db, alice.id, carol.id);
      await insertBlock(tx, alice.id, carol.id);
      posted = world.call('POST /statuses', { token: carol.token, body: { body: 'Where is @alice?' } });
      await waitForLocks(world, 1);
    });
    expect((await posted)?.status).toBe(201);
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
    await world.call(`DELETE /blocks/${carol.id}`, { token: alice.token });
  });

  it('makes responses about the other user identical to those for absent objects', async () => {
    const { bob, carol } = people;
    const tag = await createTag(world, carol, 'carols');
    await blockUser(carol.token, bob.id);
    const absent = `tag_${'0'.repeat(26)}`;
    for (const route of [
      'GET /xtags/ID',
      'PUT /xtags/ID/follow',
      'DELETE /xtags/ID/follow',
      'GET /xtags/ID/followers',
    ]) {
      const send = (id: string) =>
        world.call(route.replace('ID', id), { token: bob.token, ...(route.startsWith('PUT') ? { body: {} } : {}) });
      const [hidden, none] = [await send(tag.id), await send(absent)];
      expect([hidden.status, hidden.body]).toEqual([none.status, none.body]);
    }
    const call = (user_id: string) => world.call('POST /calls', { token: bob.token, body: { to: [{ user_id }] } });
    expect((await call(carol.id)).body).toEqual((await call(`usr_${'0'.repeat(26)}`)).body);
    expect(await itemsOf(world, '/xtags/search?q=carols', bob)).toEqual([]);
  });
});
