import { expect, test } from 'vitest';
import { default_limits } from '../load/limits.ts';
import { ReplayBudget } from './replay-budget.ts';
import { slow } from '../../../testing/slow-tests.ts';

const { realtime_replay, realtime_replays_burst, realtime_replays_per_minute } = default_limits;

/** How often an account may resume within a minute, twice a second, when it has missed so many events. */
function countReplays(budget: ReplayBudget, user_id: string, events: number, from_ms = 0): number {
  let count = 0;
  for (let at_ms = from_ms; at_ms < from_ms + 60_000; at_ms += 500) {
    if (!budget.has(user_id, at_ms)) continue;
    budget.take(user_id, events, at_ms);
    count++;
  }
  return count;
}

test('full replays are limited for each account, and become available again', () => {
  const budget = new ReplayBudget(default_limits);
  const first = countReplays(budget, 'usr_1', realtime_replay);
  expect(first).toBeLessThanOrEqual(realtime_replays_burst + realtime_replays_per_minute);
  expect(first).toBeGreaterThanOrEqual(realtime_replays_burst);
  expect(countReplays(budget, 'usr_1', realtime_replay, 60_000)).toBe(realtime_replays_per_minute);
  expect(budget.has('usr_2', 120_000)).toBe(true);
  expect(countReplays(budget, 'usr_1', realtime_replay, 3_600_000)).toBe(first);
});

test('a client that misses a few events again and again is never refused', () => {
  expect(countReplays(new ReplayBudget(default_limits), 'usr_1', 50)).toBe(120);
});

test('few accounts are kept', slow, () => {
  const budget = new ReplayBudget(default_limits);
  for (let number = 0; number < 50_000; number++) budget.take(`usr_${number}`, 1e9, 0);
  expect([budget.has('usr_0', 0), budget.has('usr_49999', 0)]).toEqual([true, false]);
});
