import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/world/world.ts';
import { sql } from './database/database.ts';
import { change } from './services.ts';

describe('a change', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
    await world.app.services.db.native.query('create table rows_of_test (id int primary key, changes int default 0)');
    await world.app.services.db.native.query('insert into rows_of_test values (1), (2)');
  });
  afterAll(() => world.close());

  it('is repeated after a deadlock, and emits its events once', async () => {
    const { services } = world.app;
    await services.db.native.query('update rows_of_test set changes = 0');
    let tries = 0;
    const arrived: (() => void)[] = [];
    const meet = () =>
      new Promise<void>((resolve) => {
        arrived.push(resolve);
        if (arrived.length === 2) for (const go of arrived) go();
      });
    const update = (first: number, second: number) =>
      change(services, async ({ db, emit }) => {
        tries += 1;
        emit({ type: 'test.touched' } as never, ['user:one'], { first });
        await db.run(sql`set local deadlock_timeout = '20ms'`);
        await db.run(sql`update rows_of_test set changes = changes + 1 where id = ${first}::int`);
        // Neither requests its second row before both have locked their first.
        if (tries <= 2) await meet();
        await db.run(sql`update rows_of_test set changes = changes + 1 where id = ${second}::int`);
      });
    await Promise.all([update(1, 2), update(2, 1)]);
    expect(tries).toBe(3);
    const { rows } = await services.db.native.query('select changes from rows_of_test order by id');
    expect(rows).toEqual([{ changes: 2 }, { changes: 2 }]);
    const { rows: events } = await services.db.native.query(
      `select data ->> 'first' as first from events where type = 'test.touched' order by 1`,
    );
    expect(events).toEqual([{ first: '1' }, { first: '2' }]);
  });

  it('fails with a statement that is awaited at the commit, and is rolled back', async () => {
    const { services } = world.app;
    const selectState = async () => {
      const { rows } = await services.db.native.query(
        `select (select changes from rows_of_test where id = 1) as changes,
           (select count(*)::int from events where type = 'test.awaited') as events`,
      );
      return rows[0];
    };
    const before = await selectState();
    const touchAnd = (divisor: number) =>
      change(services, async ({ db, emit, awaitAtCommit }) => {
        awaitAtCommit(db.run(sql`update rows_of_test set changes = changes + 4 / ${divisor}::int where id = 1`));
        emit({ type: 'test.awaited' } as never, ['user:one'], {});
        return 'done';
      });
    await expect(touchAnd(0)).rejects.toMatchObject({ code: '22012' });
    expect(await selectState()).toEqual(before);
    expect(await touchAnd(2)).toBe('done');
    expect(await selectState()).toEqual({ changes: before.changes + 2, events: before.events + 1 });
  });

  it('writes rows in the statement that inserts its events, which can use the written values', async () => {
    const { services } = world.app;
    const step = (divisor: number) => sql`
      touched as (update rows_of_test set changes = changes + 4 / ${divisor}::int where id = 2 returning changes)`;
    const read = async () => {
      const { rows } = await services.db.native.query(
        `select (select changes from rows_of_test where id = 2) as changes, array(
           select (data ->> 'changes')::int from events where type = 'test.written' order by position) as told`,
      );
      return rows[0];
    };
    const { changes } = await read();
    const writeAnd = (divisor: number) =>
      change(services, async ({ emit, awaitAtCommit, writeWithEvents }) => {
        awaitAtCommit(
          writeWithEvents(step(divisor)).catch((error: unknown) => {
            throw new Error('not divided', { cause: error });
          }),
        );
        const late = { changes: sql`(select changes from touched)` };
        emit({ type: 'test.written' } as never, ['user:one'], { changes: 0 }, late);
      });
    await expect(writeAnd(0)).rejects.toMatchObject({ message: 'not divided', cause: { code: '22012' } });
    expect(await read()).toEqual({ changes, told: [] });
    await writeAnd(2);
    expect(await read()).toEqual({ changes: changes + 2, told: [changes + 2] });
    // Without an event, and with two: the second is not inserted again at the end.
    await change(services, async ({ awaitAtCommit, writeWithEvents }) => awaitAtCommit(writeWithEvents(step(4))));
    expect(await read()).toEqual({ changes: changes + 3, told: [changes + 2] });
    await change(services, async ({ emit, awaitAtCommit, writeWithEvents, flush }, checkpoint) => {
      const undo = checkpoint();
      const update = () => {
        awaitAtCommit(writeWithEvents(step(4)));
        const late = { changes: sql`(select changes from touched)` };
        emit({ type: 'test.written' } as never, ['user:one'], { changes: 0 }, late);
      };
      emit({ type: 'test.touched' } as never, ['user:one'], {});
      update();
      await flush();
      await undo();
      update();
      await flush();
      update();
    });
    expect(await read()).toEqual({ changes: changes + 5, told: [changes + 2, changes + 4, changes + 5] });
  });

  it('fails after three deadlocks', async () => {
    let tries = 0;
    const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    const refused = change(world.app.services, async () => {
      tries += 1;
      throw deadlock;
    });
    await expect(refused).rejects.toBe(deadlock);
    expect(tries).toBe(3);
  });
});
