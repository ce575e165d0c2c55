import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { poll } from '../../testing/running/running-service.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { sql } from '../database/database.ts';
import type { Emission } from '../event.ts';
import {
  deleteOldEvents,
  insertEvents,
  isComplete,
  selectEventsAfter,
  selectMissed,
  type StoredEvent,
} from './outbox.ts';

describe('the outbox', () => {
  let world: World;
  const start = { xid: '0', position: '0' };
  const numbers = Array.from({ length: 120 }, (_, at) => at);
  const numbersOf = (events: StoredEvent[]) => events.map(({ data }) => (JSON.parse(data) as { at: number }).at);
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
  });
  beforeEach(async () => {
    await world.app.services.db.native.query('delete from events');
    const emissions = numbers.map((at) => ({ topic: 'user:one' as const, type: 'test.happened', data: { at } }));
    const { db, clock } = world.app.services;
    await insertEvents(db, emissions, clock.now());
    // Settled only when every older transaction of the server has ended, those of other worlds included.
    await poll(async () => (await selectEventsAfter(db, start, 1)).events.length === 1, 'the events to be readable');
  });
  afterAll(() => world.close());

  it('orders events by numeric position, so that a reader neither repeats nor skips any', async () => {
    const { db } = world.app.services;
    const first = await selectEventsAfter(db, start, 50);
    const position = first.events.at(-1) ?? start;
    const rest = await selectEventsAfter(db, position, 200);
    expect([...numbersOf(first.events), ...numbersOf(rest.events)]).toEqual(numbers);
  });

  it('orders missed events in the same way', async () => {
    const to = { xid: '18446744073709551615', position: '9223372036854775807' };
    const missed = await selectMissed(world.app.services.db, ['user:one'], start, to, 50);
    expect(numbersOf(missed)).toEqual(numbers.slice(0, 50));
  });

  it('adds values that the database computes to the data of events', async () => {
    const { db, clock } = world.app.services;
    const computed = { at: sql`6 * 7`, note: sql`'"late"'::text`, none: sql`null::int` };
    const event = { topic: 'user:late', type: 'test.happened', computed } as const;
    await insertEvents(
      db,
      [
        { ...event, data: { at: 0, by: 'one' } },
        { ...event, data: { at: 0 } },
      ],
      clock.now(),
    );
    const { rows } = await db.native.query("select data from events where topic = 'user:late' order by position");
    const known = { at: 42, note: '"late"', none: null };
    expect(rows).toEqual([{ data: { ...known, by: 'one' } }, { data: known }]);
  });

  it('deletes events before the first recent one, and knows which positions are complete', async () => {
    const { db, clock } = world.app.services;
    await db.native.query('delete from events');
    const [old, now] = [new Date(clock.now().getTime() - 3_600_000), clock.now()];
    for (const at of [old, old, now, old])
      await insertEvents(db, [{ topic: 'user:two', type: 'test.old', data: {} }], at);
    const selectPositions = async () =>
      (await db.native.query('select xid::text, position::text from events order by events.xid, events.position')).rows;
    const [, second, third, last] = await selectPositions();
    const deleteOld = (portion = 1000) => deleteOldEvents(db, new Date(now.getTime() - 60_000), now, portion);
    await deleteOld();
    expect(await selectPositions()).toEqual([third, last]);
    await deleteOld();
    expect(await Promise.all([start, second, third].map((position) => isComplete(db, position)))).toEqual([
      false,
      true,
      true,
    ]);
    await db.native.query('update events set at = $1', [old]);
    await deleteOld();
    expect(await selectPositions()).toEqual([]);
    expect(await Promise.all([third, last].map((position) => isComplete(db, position)))).toEqual([false, true]);
    for (let count = 0; count < 5; count++)
      await insertEvents(db, [{ topic: 'user:two', type: 'test.old', data: {} }], old);
    expect([await deleteOld(2), await deleteOld(2), await deleteOld(2), await deleteOld(2)]).toEqual([2, 2, 1, 0]);
  });

  it('stores one event for many topics in order, more than a statement has parameters', async () => {
    const { db, clock } = world.app.services;
    await db.native.query('delete from events');
    const shared = { text: 'to many' };
    const emissions: Emission[] = Array.from({ length: 20_000 }, (_, at) => ({
      topic: `user:${at}`,
      type: 'test.shared',
      data: shared,
    }));
    const last: Emission = { topic: 'user:last', type: 'test.own', data: { known: 1 }, computed: { by: sql`2::int` } };
    await insertEvents(db, [...emissions, last], clock.now());
    const { rows } = await db.native.query('select topic, type, data from events order by position');
    expect(rows.map(({ topic }) => topic)).toEqual([...emissions, last].map(({ topic }) => topic));
    expect([rows[0].data, rows[19_999].data, rows.at(-1)]).toEqual([
      shared,
      shared,
      { topic: 'user:last', type: 'test.own', data: { known: 1, by: 2 } },
    ]);
  });

  it('does not keep events for ever behind one that was stored while the clock was wrong', async () => {
    const { db, clock } = world.app.services;
    await db.native.query('delete from events');
    const now = clock.now();
    const [old, far] = [new Date(now.getTime() - 3_600_000), new Date(now.getTime() + 10 * 365 * 86_400_000)];
    for (const at of [far, old, old, now])
      await insertEvents(db, [{ topic: 'user:two', type: 'test.old', data: {} }], at);
    expect(await deleteOldEvents(db, new Date(now.getTime() - 60_000), now, 1000)).toBe(3);
  });
});
