/** How long and how often a call whose connection was lost is tried again. */
import { expect, it } from 'vitest';
import { RECONNECT_POLICY } from './reconnect-policy.ts';

it('RECONNECT_POLICY tries a lost call again at once, then every few seconds, and gives up after ten minutes', () => {
  const attempts_ms: number[] = [];
  let elapsed_ms = 0;
  for (;;) {
    const pause_ms = RECONNECT_POLICY.nextRetryDelayInMs({ elapsedMs: elapsed_ms, retryCount: attempts_ms.length });
    if (pause_ms === null) break;
    elapsed_ms += pause_ms;
    attempts_ms.push(elapsed_ms);
  }
  expect(attempts_ms[0]).toBeLessThan(500);
  expect(attempts_ms[3]).toBeLessThan(6_000);
  for (const [at, time_ms] of attempts_ms.entries())
    expect(time_ms - (attempts_ms[at - 1] ?? 0)).toBeLessThanOrEqual(5_000);
  expect(elapsed_ms).toBeGreaterThan(10 * 60_000);
  expect(elapsed_ms).toBeLessThan(10 * 60_000 + 10_000);
});
