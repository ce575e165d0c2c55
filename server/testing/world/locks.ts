/** Statements that wait for each other in tests. */
import { expect } from 'vitest';
import type { World } from './world.ts';

/** Waits until `count` statements of a world wait for a lock. */
export async function waitForLocks({ app }: World, count: number): Promise<void> {
  const waiting_query = `
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const countWaiting = async () => (await app.services.db.native.query(waiting_query)).rowCount;
  await expect.poll(countWaiting, { interval: 5, timeout: 10_000 }).toBe(count);
}
