import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requestEntry, decideOnGuest, startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calls/{join_code}/guests/{guest_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  it('admits or declines once, and emits call.guest_decided to the guest and the host', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const gina = (await requestEntry(world, join_code)).body;
    const first = await decideOnGuest(world, alice, join_code, gina.guest.id);
    expect([first.status, first.body.state]).toEqual([200, 'admitted']);
    expect((await decideOnGuest(world, alice, join_code, gina.guest.id)).body).toEqual(first.body);
    const other = await decideOnGuest(world, alice, join_code, gina.guest.id, 'decline');
    expect([other.status, other.body.error.code]).toEqual([409, 'already_decided']);
    for (const topic of [`user:${alice.id}`, `user:${gina.guest.id}`] as const) {
      const decisions = (await world.events(topic)).filter(({ type }) => type === 'call.guest_decided');
      expect(decisions.map(({ data }) => data.guest.state)).toEqual(['admitted']);
    }
  });

  it('denies a declined guest all access', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const gina = (await requestEntry(world, join_code)).body;
    await decideOnGuest(world, alice, join_code, gina.guest.id, 'decline');
    for (const route of [`GET /calls/${join_code}`, `POST /calls/${join_code}/sfu-grant`]) {
      const { status } = await world.call(route, {
        token: gina.token,
        body: route.startsWith('POST') ? {} : undefined,
      });
      expect([401, 404]).toContain(status);
    }
  });

  it('is only for the host, and for guests of this call', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const gina = (await requestEntry(world, join_code)).body;
    expect((await decideOnGuest(world, bob, join_code, gina.guest.id)).status).toBe(403);
    expect((await decideOnGuest(world, carol, join_code, gina.guest.id)).status).toBe(404);
    expect((await decideOnGuest(world, alice, join_code, 'gst_00000000000000000000000000')).status).toBe(404);
    expect((await decideOnGuest(world, alice, join_code, gina.guest.id, 'burn')).status).toBe(422);
  });
});
