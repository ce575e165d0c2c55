import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForLocks } from '../testing/world/locks.ts';
import { findPersonas, type Personas } from '../testing/world/personas.ts';
import { createWorld, type World } from '../testing/world/world.ts';
import { sql } from './database/database.ts';

describe('changes of one account that wait for each other', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    // A world has fewer connections than a service, and the test holds one.
    world = await createWorld({ limits: { changes_per_account: 2, changes_waiting: 80 } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  const rename = ({ token }: { token: string }) => world.call('PATCH /me', { token, body: { bio: 'new' } });

  /** Does something while a slow change of Alice holds the row of her account. */
  async function whileSlow(act: () => Promise<void>): Promise<void> {
    await world.app.services.db.transaction(async (tx) => {
      await tx.run(sql`select 1 from users where id = ${people.alice.id} for update`);
      await act();
    });
  }

  it('leave connections and places to others, and all take effect', async () => {
    let changes: ReturnType<typeof rename>[] = [];
    await whileSlow(async () => {
      changes = Array.from({ length: 40 }, () => rename(people.alice));
      await waitForLocks(world, world.app.services.limits.changes_per_account);
      expect((await rename(people.bob)).status).toBe(200);
    });
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(40).fill(200));
  });

  it('are refused beyond half of what may wait, and later succeed', async () => {
    const { changes_per_account, changes_waiting } = world.app.services.limits;
    const accepted_count = changes_per_account + changes_waiting / 2;
    let changes: ReturnType<typeof rename>[] = [];
    await whileSlow(async () => {
      changes = Array.from({ length: accepted_count }, () => rename(people.alice));
      await waitForLocks(world, changes_per_account);
      const refused = await rename(people.alice);
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
      expect(refused.headers['retry-after']).toBe('1');
    });
    expect((await Promise.all(changes)).every(({ status }) => status === 200)).toBe(true);
    expect((await rename(people.alice)).status).toBe(200);
  });
});
