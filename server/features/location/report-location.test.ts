import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../kernel/database/database.ts';
import { change } from '../../kernel/services.ts';
import { lifecycle } from './lifecycle.ts';
import { lockSettings, writeSettings } from './queries.ts';
import { listen } from '../../testing/world/listening.ts';
import {
  inSeconds,
  place_in_same_cell,
  visiblePeople,
  place,
  reportPosition,
  changeSharing,
} from '../../testing/steps/location.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /location/report', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    // A test waits for the interval.
    world = await createWorld({ limits: { location_report_s: 1 } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('stores only the newest recent position', async () => {
    const { alice, bob } = people;
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id], precision: 'exact' });
    await world.clock.advance(900);
    const details = { heading: 90, speed_mps: 1.4, battery: 80 };
    expect((await reportPosition(world, alice, details)).status).toBe(204);
    const [first] = await visiblePeople(world, bob);
    expect(first).toMatchObject({
      user: { username: 'alice' },
      ...place,
      accuracy_m: 8,
      precision: 'exact',
      ...details,
    });
    for (const seconds of [-30, -630, 90]) {
      const late = await reportPosition(world, alice, { latitude: 1, recorded_at: inSeconds(world, seconds) });
      expect(late.status).toBe(204);
    }
    expect(await visiblePeople(world, bob)).toEqual([first]);
    expect((await reportPosition(world, alice, { latitude: 1, recorded_at: inSeconds(world, 59) })).status).toBe(204);
    expect((await visiblePeople(world, bob))[0].latitude).toBe(1);
  });

  it('rejects invalid positions and values with 422', async () => {
    for (const [point, field] of [
      [{ latitude: 90.1 }, 'latitude'],
      [{ longitude: -181 }, 'longitude'],
      [{ latitude: '52' }, 'latitude'],
      [{ accuracy_m: -1 }, 'accuracy_m'],
      [{ heading: 361 }, 'heading'],
      [{ battery: 101 }, 'battery'],
      [{ recorded_at: 'yesterday' }, 'recorded_at'],
    ] as const) {
      const answer = await reportPosition(world, people.alice, point);
      expect([answer.status, Object.keys(answer.body.error.fields)]).toEqual([422, [field]]);
    }
  });

  it('reveals only the grid cell to approximate viewers, with nothing that varies within it', async () => {
    const { alice, bob } = people;
    await changeSharing(world, alice, { mode: 'off' });
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id], precision: 'approximate' });
    const seen = [];
    for (const point of [
      place,
      place_in_same_cell,
      { ...place_in_same_cell, accuracy_m: 500, heading: 10, speed_mps: 30, battery: 3 },
    ]) {
      await reportPosition(world, alice, point);
      const [{ recorded_at: _recorded_at, ...rest }] = await visiblePeople(world, bob);
      seen.push(rest);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({
      accuracy_m: 750,
      precision: 'approximate',
      heading: null,
      speed_mps: null,
      battery: null,
    });
    expect(seen[0].latitude).not.toBe(place.latitude);
    // The exact position is not even stored.
    const { rows } = await world.app.services.db.native.query('select latitude, heading from locations');
    expect(rows).toEqual([{ latitude: null, heading: null }]);
  });

  it('emits location.updated to connected viewers at most once per interval, and stores no event', slow, async () => {
    const { alice, bob, carol } = people;
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id], precision: 'approximate' });
    const [events_of_bob, events_of_carol] = [await listen(world, bob), await listen(world, carol)];
    const updates = () => events_of_bob.filter(({ type }) => type === 'location.updated');
    await world.app.services.bus.drop('location', alice.id);
    for (let times = 0; times < 5; times++) await reportPosition(world, alice);
    const [item] = await visiblePeople(world, bob);
    await expect.poll(() => updates().at(-1)?.data, { timeout: 12_000 }).toEqual(item);
    expect(updates().length).toBeLessThanOrEqual(2);
    expect(events_of_carol).toEqual([]);
    const { rows } = await world.app.services.db.native.query("select 1 from events where type like 'location%'");
    expect(rows).toEqual([]);
    await changeSharing(world, alice, { mode: 'off' });
    await expect
      .poll(() => events_of_bob.at(-1))
      .toMatchObject({ type: 'location.stopped', data: { user_id: alice.id } });
    expect((await world.app.services.db.native.query('select 1 from locations')).rows).toEqual([]);
  });

  it('sends a position to nobody who may no longer see it by then', slow, async () => {
    const { alice, bob, carol } = people;
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id, carol.id] });
    const [events_of_bob, events_of_carol] = [await listen(world, bob), await listen(world, carol)];
    await world.app.services.bus.drop('location', alice.id);
    await reportPosition(world, alice);
    // Before what has been reported is sent.
    await changeSharing(world, alice, { mode: 'selected', people: [carol.id] });
    const updates = (events: typeof events_of_bob) => events.filter(({ type }) => type === 'location.updated').length;
    await expect.poll(() => updates(events_of_carol), { timeout: 12_000 }).toBeGreaterThan(0);
    expect(updates(events_of_bob)).toBe(0);
    await changeSharing(world, alice, { mode: 'off' });
  });

  it('sends the positions of several people that are gathered together to the viewers of each', slow, async () => {
    const { alice, bob, carol } = people;
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id, carol.id], precision: 'exact' });
    await changeSharing(world, carol, { mode: 'selected', people: [bob.id], precision: 'exact' });
    const seen = await Promise.all([bob, carol].map((one) => listen(world, one)));
    const owners = (events: (typeof seen)[number]) =>
      [...new Set(events.map(({ data }) => data.user?.username))].toSorted();
    await Promise.all([reportPosition(world, alice), reportPosition(world, carol)]);
    await expect.poll(() => seen.map(owners), { timeout: 5000 }).toEqual([['alice', 'carol'], ['alice']]);
    for (const one of [alice, carol]) await changeSharing(world, one, { mode: 'off' });
  });

  it('stores positions in an unlogged table, so that none are in the write-ahead log', async () => {
    const { rows } = await world.app.services.db.native.query(
      "select relpersistence from pg_class where relname = 'locations'",
    );
    expect(rows).toEqual([{ relpersistence: 'u' }]);
  });

  it.each(['switching sharing off', 'deleting the account'])('stores nothing that %s would miss', async (end) => {
    const { carol } = people;
    await changeSharing(world, carol, { mode: 'followers', precision: 'exact' });
    let reported: ReturnType<typeof reportPosition> | undefined;
    const { db } = world.app.services;
    await change(world.app.services, async (one) => {
      if (end === 'deleting the account') await lifecycle.accountDeleted?.(one, carol.id);
      else {
        await lockSettings(one.db, carol.id);
        await writeSettings(one.db, carol.id, { mode: 'off', precision: 'exact', expires_at: null }, false, one.now);
      }
      reported = reportPosition(world, carol);
      await waitForLocks(world, 1);
    });
    expect((await reported)?.body.error.code).toBe('not_sharing');
    expect(await db.run(sql`select 1 from locations where user_id = ${carol.id}`)).toBe(0);
  });
});
