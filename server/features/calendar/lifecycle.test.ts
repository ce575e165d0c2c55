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
