import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { poll } from '../../testing/running-service.ts';
import { createWorld, type World } from '../../testing/world.ts';
import { sql } from '../database/database.ts';
import {
  deleteOldEvents,
  insertEvents,
  isComplete,
  selectEventsAfter,
  selectMissed,
  type StoredEvent,
} from './outbox.ts';

describe('the order of the outbox', () => {
  let world: World;
  const start = { xid: '0', position: '0' };
  const numbers = Array.from({ length: 120 }, (_, at) => at);
  const numbersOf = (events: StoredEvent[]) => events.map(({ data }) => (JSON.parse(data) as { at: number }).at);
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
    const emissions = numbers.map((at) => ({ topic: 'user:one' as const, type: 'test.happened', data: { at } }));
    const { db, clock } = world.app.services;
    await insertEvents(db, emissions, clock.now());
    // Settled only when every older transaction of the server has ended, those of other worlds included.
    await poll(async () => (await selectEventsAfter(db, start, 1)).events.length === 1, 'the settling of the events');
  });
  afterAll(() => world.close());

  it('is that of numbers, not of their digits, so that a reader neither repeats nor skips', async () => {
    const { db } = world.app.services;
    const first = await selectEventsAfter(db, start, 50);
    const place = first.events.at(-1) ?? start;
    const rest = await selectEventsAfter(db, place, 200);
    expect([...numbersOf(first.events), ...numbersOf(rest.events)]).toEqual(numbers);
  });

  it('is the same for what a receiver missed', async () => {
    const to = { xid: '18446744073709551615', position: '9223372036854775807' };
    const missed = await selectMissed(world.app.services.db, ['user:one'], start, to, 50);
    expect(numbersOf(missed)).toEqual(numbers.slice(0, 50));
  });

  it('takes from the database what the change alone knows', async () => {
    const { db, clock } = world.app.services;
    const late = { at: sql`6 * 7`, note: sql`'"late"'::text`, none: sql`null::int` };
    const event = { topic: 'user:late', type: 'test.happened', late } as const;
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

  it('forgets what stands before the first event that is kept, and knows up to where', async () => {
    const { db, clock } = world.app.services;
    await db.native.query('delete from events');
    const [old, now] = [new Date(clock.now().getTime() - 3_600_000), clock.now()];
    for (const at of [old, old, now, old])
      await insertEvents(db, [{ topic: 'user:two', type: 'test.old', data: {} }], at);
    const places = async () =>
      (await db.native.query('select xid::text, position::text from events order by events.xid, events.position')).rows;
    const [, second, third, last] = await places();
    const forget = () => deleteOldEvents(db, new Date(now.getTime() - 60_000));
    await forget();
    expect(await places()).toEqual([third, last]);
    await forget();
    expect(await Promise.all([start, second, third].map((place) => isComplete(db, place)))).toEqual([
      false,
      true,
      true,
    ]);
    await db.native.query('update events set at = $1', [old]);
    await forget();
    expect(await places()).toEqual([]);
    expect(await Promise.all([third, last].map((place) => isComplete(db, place)))).toEqual([false, true]);
  });
});
