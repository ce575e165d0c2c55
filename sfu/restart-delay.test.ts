import { expect, test } from 'vitest';
import { LIMITS } from './limits.ts';
import { createRestartDelay } from './restart-delay.ts';

test('waits twice as long with each failure soon after a start, up to a bound, and begins anew after a long life', () => {
  const delay = createRestartDelay();
  const waits = Array.from({ length: 8 }, () => delay.next(10));
  expect(waits.slice(0, 3)).toEqual([200, 400, 800]);
  expect(waits.at(-1)).toBe(LIMITS.restart_delay_max_ms);
  expect(delay.next(LIMITS.restart_stable_ms)).toBe(LIMITS.restart_delay_ms);
});
