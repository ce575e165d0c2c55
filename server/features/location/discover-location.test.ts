import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellOf, distance_m } from '../../domain/location/cell.ts';
import { setReach } from '../../testing/steps/contacts.ts';
import { place_in_same_cell, place, reportPosition, changeSharing } from '../../testing/steps/location.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';
import { seedOf } from '../../../testing/seed.ts';

describe('GET /location/discover', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100' } });
    people = findPersonas();
    await setReach(world, people.bob, { find: 'everyone' });
    await changeSharing(world, people.bob, { mode: 'public' });
  });
  afterAll(() => world.close());

  const discover = (who: Persona, at: { latitude: number; longitude: number }, radius_m = 50_000) =>
    world.call(`GET /location/discover?latitude=${at.latitude}&longitude=${at.longitude}&radius_m=${radius_m}`, {
      token: who.token,
    });

  it('finds public users, with whole kilometres from their grid cell', async () => {
    const { alice, bob, carol } = people;
    await setReach(world, carol, { find: 'everyone' });
    await changeSharing(world, carol, { mode: 'public' });
    await reportPosition(world, bob);
    await reportPosition(world, carol, { latitude: 52.6, longitude: 13.404954 });
    const found = await discover(alice, place);
    type FoundUser = { user: { username: string }; distance_m: number };
    expect(found.body.items.map((entry: FoundUser) => [entry.user.username, entry.distance_m])).toEqual([
      ['bob', 0],
      ['carol', 9000],
    ]);
    expect((await discover(alice, place, 5000)).body.items).toHaveLength(1);
    expect((await world.call('GET /location/people', { token: alice.token })).body.items).toEqual([]);
    await setReach(world, carol, { find: 'contacts' });
    expect((await discover(alice, place)).body.items).toHaveLength(1);
    await world.call('POST /blocks', { token: bob.token, body: { user_id: carol.id } });
    expect((await discover(carol, place)).body.items).toEqual([]);
  });

  it('finds users across the date line and at the poles', async () => {
    const { alice, bob } = people;
    for (const [at, from] of [
      [
        { latitude: -17, longitude: 179.99 },
        { latitude: -17, longitude: -179.95 },
      ],
      [
        { latitude: 89.99, longitude: 10 },
        { latitude: 89.99, longitude: -160 },
      ],
    ] as const) {
      await changeSharing(world, bob, { mode: 'off' });
      await changeSharing(world, bob, { mode: 'public' });
      await reportPosition(world, bob, at);
      expect((await discover(alice, from)).body.items).toHaveLength(1);
    }
  });

  it('reveals no more than the grid cell, from any number of queries at any positions', slow, async () => {
    const { alice, bob } = people;
    const answers = [];
    const queries = fc.sample(
      fc.record({
        latitude: fc.double({ min: 52.2, max: 52.9, noNaN: true }),
        longitude: fc.double({ min: 13, max: 13.8, noNaN: true }),
        radius_m: fc.integer({ min: 100, max: 50_000 }),
      }),
      { numRuns: 150, seed: seedOf(7).seed },
    );
    for (const point of [place, place_in_same_cell]) {
      await changeSharing(world, bob, { mode: 'off' });
      await changeSharing(world, bob, { mode: 'public' });
      await reportPosition(world, bob, {
        ...point,
        accuracy_m: point === place_in_same_cell ? 400 : 4,
        recorded_at: world.clock.now().toISOString(),
      });
      const seen = [];
      for (const { radius_m, ...at } of queries) {
        const { body } = await discover(alice, at, radius_m);
        seen.push(body.items.map(({ recorded_at: _recorded_at, ...rest }: { recorded_at: string }) => rest));
      }
      answers.push(seen);
    }
    expect(answers[1]).toEqual(answers[0]);
    // Results depend only on the centre of the cell: checked for ten thousand more queries.
    const centre = cellOf(place);
    fc.assert(
      fc.property(
        fc.double({ min: -85, max: 85, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        (latitude, longitude) => {
          const from = { latitude, longitude };
          expect(distance_m(from, cellOf(place_in_same_cell))).toBe(distance_m(from, centre));
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it('rejects invalid coordinates and radii, and has a separate rate budget', async () => {
    const { alice } = people;
    for (const query of [
      'latitude=91&longitude=0&radius_m=100',
      'latitude=1&longitude=0&radius_m=99',
      'latitude=1&longitude=0',
    ]) {
      expect((await world.call(`GET /location/discover?${query}`, { token: alice.token })).status).toBe(422);
    }
    expect((await discover(alice, place)).headers['ratelimit-policy']).toContain('location_discover');
  });
});
