import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/world.ts';
import { sql } from './database/database.ts';
import { createRowCache, requireUnchanged } from './row-cache.ts';
import { change } from './services.ts';

describe('what a node remembers', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
  });
  afterAll(() => world.close());

  it('is of the latest, and of one service', () => {
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

  it('undoes the change that it misleads, which is then done again', async () => {
    const { services } = world.app;
    const tried: boolean[] = [];
    const made = await change(services, async ({ db, awaitAtCommit, emit }) => {
      tried.push(tried.length > 0);
      const event = { type: 'test.remembered', summary: '', data: {} } as never;
      emit(event, ['user:one'], { tries: tried.length } as never);
      awaitAtCommit(db.run(sql`update service set forgotten_position = forgotten_position + 1`));
      awaitAtCommit(db.run(sql`select 1 where ${requireUnchanged(sql`${tried.length}::int > 1`)}`));
      return tried.length;
    });
    expect([made, tried]).toEqual([2, [false, true]]);
    expect(await world.events('user:one')).toEqual([{ type: 'test.remembered', data: { tries: 2 } }]);
    expect(await services.db.one(sql`select forgotten_position::int as at from service`)).toEqual({ at: 1 });
  });
});
