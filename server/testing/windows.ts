/** The windows of rate budgets, in tests that count what is left of one. */
import type { Clock } from '../kernel/time.ts';

/** Every window of the budgets' table divides the day. */
const longest_window_ms = 86_400_000;

/**
 * Moves a world's clock to the beginning of a window of every budget, the next midnight (UTC). A test that counts would
 * otherwise fail whenever it runs over the end of a window and finds the budget whole again.
 */
export async function beginWindow(clock: Clock): Promise<void> {
  const next = Math.floor(clock.now().getTime() / longest_window_ms) + 1;
  await clock.moveTo(new Date(next * longest_window_ms));
}
