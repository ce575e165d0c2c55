import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { inSeconds, visibleNames, visiblePeople, reportPosition, changeSharing } from '../../testing/steps/location.ts';
import { findPersonas, advanceSeconds, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /location/people', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('lists users who share with the caller, latest first, with the end of sharing, and paginates', async () => {
    const { alice, bob, carol } = people;
    for (const who of [bob, carol]) {
      await changeSharing(world, who, { mode: 'selected', people: [alice.id] });
      await reportPosition(world, who);
      await advanceSeconds(world, 5);
    }
    expect(await visibleNames(world, alice)).toEqual(['carol', 'bob']);
    const first = await world.call('GET /location/people?limit=1', { token: alice.token });
    expect([first.body.has_more, first.body.items[0].user.username]).toEqual([true, 'carol']);
    expect(first.body.items[0].expires_at > inSeconds(world, 0)).toBe(true);
    const second = await world.call('GET /location/people?limit=1&offset=1', { token: alice.token });
    expect([second.body.has_more, second.body.items[0].user.username]).toEqual([false, 'bob']);
    expect(await visiblePeople(world, bob)).toEqual([]);
  });

  it('omits positions older than a day, and those of suspended or deleted users', async () => {
    const { alice, bob, carol } = people;
    await changeSharing(world, bob, { mode: 'selected', people: [alice.id], expires_at: inSeconds(world, 3 * 86_400) });
    await reportPosition(world, bob);
    await advanceSeconds(world, 1);
    await changeSharing(world, carol, { mode: 'selected', people: [alice.id] });
    await reportPosition(world, carol);
    const { db } = world.app.services;
    await db.native.query('update users set suspended_at = now() where id = $1', [bob.id]);
    expect(await visibleNames(world, alice)).toEqual(['carol']);
    await db.native.query('update users set suspended_at = null where id = $1', [bob.id]);
    expect(await visibleNames(world, alice)).toEqual(['carol', 'bob']);
    await world.call('DELETE /me', { token: carol.token, body: { password: carol.password } });
    expect(await visibleNames(world, alice)).toEqual(['bob']);
    await advanceSeconds(world, 86_400);
    expect(await visibleNames(world, alice)).toEqual([]);
  });

  it('is recorded for the users who were seen', async () => {
    const { alice, bob } = people;
    // A view is counted once in ten minutes, and other tests view as well.
    await advanceSeconds(world, 601);
    await changeSharing(world, bob, { mode: 'selected', people: [alice.id] });
    await reportPosition(world, bob);
    await visibleNames(world, alice);
    const before = (await itemsOf(world, '/location/views', bob)) as { viewer: { username: string }; count: number }[];
    expect(before.map(({ viewer, count }) => [viewer.username, count])).toEqual([['alice', 1]]);
    // Views within ten minutes count as one.
    await advanceSeconds(world, 601);
    await reportPosition(world, bob);
    await visibleNames(world, alice);
    const [again] = (await itemsOf(world, '/location/views', bob)) as {
      first_at: string;
      last_at: string;
      count: number;
    }[];
    expect(again?.count).toBe(2);
    expect(again && again.last_at > again.first_at).toBe(true);
    await visibleNames(world, alice);
    expect((await itemsOf(world, '/location/views', bob))[0].count).toBe(2);
    expect(await itemsOf(world, '/location/views', alice)).toEqual([]);
  });
});
