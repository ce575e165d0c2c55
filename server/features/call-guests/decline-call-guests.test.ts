import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { admitGuest, requestEntry, startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /calls/{join_code}/guests', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  const declineAll = (token: string, join_code: string) => world.call(`DELETE /calls/${join_code}/guests`, { token });

  it('declines all who wait, notifies them and the host, and keeps those who were admitted', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const gina = await admitGuest(world, alice, join_code);
    const asked = [await requestEntry(world, join_code, 'Wim'), await requestEntry(world, join_code, 'Zoe')];
    expect((await declineAll(alice.token, join_code)).status).toBe(204);
    const { body } = await world.call(`GET /calls/${join_code}/guests`, { token: alice.token });
    expect(body.items).toEqual([]);
    for (const { body: one } of asked) {
      const own = await world.call(`GET /calls/${join_code}/guest`, { token: one.token });
      expect(own.status).toBe(401);
      expect(await world.events(`user:${one.guest.id}`)).toMatchObject([
        { type: 'call.guest_decided', data: { guest: { state: 'declined' } } },
        { type: 'session.revoked' },
      ]);
    }
    expect((await world.call(`GET /calls/${join_code}`, { token: gina.token })).status).toBe(200);
    expect((await declineAll(alice.token, join_code)).status).toBe(204);
  });

  it('is only for the hosts', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    await requestEntry(world, join_code);
    expect((await declineAll(bob.token, join_code)).status).toBe(403);
    expect((await declineAll(carol.token, join_code)).status).toBe(404);
  });
});
