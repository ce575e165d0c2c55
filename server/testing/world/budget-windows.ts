/** The windows of rate budgets, for tests that count what remains of one. */
import type { Clock } from '../../kernel/time.ts';

/** Every window of the budgets' table divides a day without remainder. */
const max_window_ms = 86_400_000;

/**
 * Advances a clock to the start of a window of every budget, the next midnight (UTC). A test that counts would
 * otherwise fail whenever it runs across the end of a window and finds the budget full again.
 */
export async function startBudgetWindow(clock: Pick<Clock, 'now' | 'advance'>): Promise<void> {
  const now_ms = clock.now().getTime();
  const next = Math.floor(now_ms / max_window_ms) + 1;
  await clock.advance((next * max_window_ms - now_ms) / 1000);
}
