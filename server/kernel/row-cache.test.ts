import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/world/world.ts';
import { sql } from './database/database.ts';
import { createRowCache, requireUnchanged } from './row-cache.ts';
import { change } from './services.ts';

describe('the row cache', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
  });
  afterAll(() => world.close());

  it('holds the latest values, separately for each service', () => {
    const { services } = world.app;
    const cache = createRowCache<number>(2);
    for (const [key, value] of [
      ['one', 1],
      ['two', 2],
      ['one', 3],
      ['three', 4],
    ] as const)
      cache.set(services, key, value);
    expect(['one', 'two', 'three'].map((key) => cache.get(services, key))).toEqual([3, undefined, 4]);
    cache.delete(services, 'one');
    expect(cache.get(services, 'one')).toBeUndefined();
    expect(cache.get({ ...services }, 'three')).toBeUndefined();
  });

  it('causes a change that used a stale value to be rolled back and repeated', async () => {
    const { services } = world.app;
    const attempts: boolean[] = [];
    const returned = await change(services, async ({ db, awaitAtCommit, emit }) => {
      attempts.push(attempts.length > 0);
      const event = { type: 'test.remembered', summary: '', data: {} } as never;
      emit(event, ['user:one'], { tries: attempts.length } as never);
      awaitAtCommit(db.run(sql`update service set forgotten_position = forgotten_position + 1`));
      awaitAtCommit(db.run(sql`select 1 where ${requireUnchanged(sql`${attempts.length}::int > 1`)}`));
      return attempts.length;
    });
    expect([returned, attempts]).toEqual([2, [false, true]]);
    expect(await world.events('user:one')).toEqual([{ type: 'test.remembered', data: { tries: 2 } }]);
    expect(await services.db.one(sql`select forgotten_position::int as at from service`)).toEqual({ at: 1 });
  });
});
