/** The windows of rate budgets, in tests that count what is left of one. */
import type { Clock } from '../kernel/time.ts';

/** Every window of the budgets' table divides the day. */
const max_window_ms = 86_400_000;

/**
 * Moves a clock to the beginning of a window of every budget, the next midnight (UTC). A test that counts would
 * otherwise fail whenever it runs over the end of a window and finds the budget whole again.
 */
export async function startBudgetWindow(clock: Pick<Clock, 'now' | 'advance'>): Promise<void> {
  const now_ms = clock.now().getTime();
  const next = Math.floor(now_ms / max_window_ms) + 1;
  await clock.advance((next * max_window_ms - now_ms) / 1000);
}
