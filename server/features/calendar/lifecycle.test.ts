import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queryable } from '../../kernel/database/database.ts';
import { change } from '../../kernel/services.ts';
import { createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { calendarLifecycle } from './lifecycle.ts';

describe('a block between people who share events', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  /** The number of statements by which a block ends the sharing of events. */
  async function countStatements(): Promise<number> {
    const { alice, bob } = people;
    const { services } = world.app;
    let count = 0;
    await change(services, async (one) => {
      const db: Queryable = {
        ...one.db,
        run: async (statement) => ((count += 1), one.db.run(statement)),
        many: async (statement) => ((count += 1), one.db.many(statement)),
      };
      await calendarLifecycle.blocked?.({ ...one, db }, bob.id, alice.id);
    });
    return count;
  }

  it('costs as many statements for many events as for one of each', async () => {
    const { alice, bob, carol } = people;
    const share = async (owner: typeof alice, guest: typeof alice) =>
      shareEvent(world, await createEvent(world, owner), owner, [guest, carol]);
    await share(alice, bob);
    await share(bob, alice);
    const count = await countStatements();
    for (let i = 0; i < 5; i++) await share(alice, bob);
    for (let i = 0; i < 3; i++) await share(bob, alice);
    expect(await countStatements()).toBe(count);
    const { body } = await world.call('GET /calendar/events', { token: bob.token });
    expect(body.items.map(({ role }: { role: string }) => role)).toEqual(Array(4).fill('owner'));
    const newest = (await world.events(`user:${carol.id}`)).filter(({ type }) => type === 'calendar.changed').slice(-8);
    expect(newest.map(({ data }) => (data as { op: string }).op)).toEqual(Array(8).fill('upsert'));
  });
});

describe('the deletion of an account with events', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('hides them from guests at once, and removes guests in portions, who are told so', async () => {
    const { alice, bob, carol } = people;
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const event = await createEvent(world, alice);
      await shareEvent(world, event, alice, [bob, carol]);
      ids.push(event.id);
    }
    const theirs = await createEvent(world, carol);
    await shareEvent(world, theirs, carol, [alice, bob]);
    const db = world.app.services.db.native;
    const countGuests = async () =>
      (await db.query('select 1 from calendar_guests where event_id = any($1)', [[...ids, theirs.id]])).rowCount;
    const listAs = async ({ token }: { token: string }) =>
      (await world.call('GET /calendar/events', { token })).body.items.map(({ id }: { id: string }) => id);
    const { token, password } = alice;
    expect((await world.call('DELETE /me', { token, body: { password } })).status).toBe(204);
    expect([await countGuests(), await listAs(bob)]).toEqual([8, [theirs.id]]);
    const purge = () => change(world.app.services, async (one) => calendarLifecycle.purgeAccount?.(one, alice.id, 2));
    const counts: unknown[] = [];
    for (let more: unknown = true; more === true; counts.push(await countGuests())) more = await purge();
    expect(counts.slice(0, 3)).toEqual([5, 3, 1]);
    const goneOf = async (person: { id: string }) =>
      (await world.events(`user:${person.id}`))
        .map(({ data }) => data as { op?: string; event_id?: string })
        .filter(({ op }) => op === 'delete')
        .map(({ event_id }) => event_id);
    for (const guest of [bob, carol]) expect((await goneOf(guest)).toSorted()).toEqual(ids.toSorted());
    await world.settle();
    const { rows } = await db.query('select 1 from calendar_events where owner_id = $1', [alice.id]);
    expect(rows).toEqual([]);
  });
});
