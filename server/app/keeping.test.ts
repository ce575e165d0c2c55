import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/world.ts';
import { keepHouse } from './keeping.ts';

describe('the sweep of what has expired', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
  });
  afterAll(() => world.close());

  it('comes again an hour later, also when it failed', async () => {
    const { db } = world.app.services;
    await keepHouse(world.app.services);
    await db.native.query('alter table spent_grants rename to spent_grants_away');
    await world.clock.advance(3601);
    await world.settle();
    await db.native.query('alter table spent_grants_away rename to spent_grants');
    await db.native.query(`insert into spent_grants values ('old', '2000-01-01T00:00:00Z')`);
    await world.clock.advance(3601);
    await world.settle();
    expect((await db.native.query('select 1 from spent_grants')).rowCount).toBe(0);
  });
});
