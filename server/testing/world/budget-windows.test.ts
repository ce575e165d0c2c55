import { describe, expect, it } from 'vitest';
import { throttle_table } from '../../kernel/load/throttle.ts';
import { createClock } from '../../kernel/time.ts';
import { startBudgetWindow } from './budget-windows.ts';

describe('startBudgetWindow', () => {
  it('advances the clock to the start of a window of every budget', async () => {
    const clock = createClock();
    await startBudgetWindow(clock);
    const now_s = clock.now().getTime() / 1000;
    for (const { window_s } of Object.values(throttle_table)) expect(now_s % window_s).toBeLessThan(1);
  });
});
