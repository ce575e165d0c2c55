import { expect, test } from 'vitest';
import { LIMITS } from './limits.ts';
import { createRestartDelay } from './restart-delay.ts';

test('doubles the delay with each failure soon after a start, up to a maximum, and resets it after a stable run', () => {
  const delay = createRestartDelay();
  const waits = Array.from({ length: 8 }, () => delay.next(10));
  expect(waits.slice(0, 3)).toEqual([200, 400, 800]);
  expect(waits.at(-1)).toBe(LIMITS.restart_delay_max_ms);
  expect(delay.next(LIMITS.restart_stable_ms)).toBe(LIMITS.restart_delay_ms);
});
