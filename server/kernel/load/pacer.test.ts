import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPacer } from './pacer.ts';

const bounds = { refusals_per_second: 1000, refusal_held_ms: 500, refusals_held: 1000 };

describe('refusals', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function createPaced(own: Partial<typeof bounds> = {}) {
    const pace = createPacer({ ...bounds, ...own });
    const sent: number[] = [];
    let made = 0;
    return {
      sent,
      refuse: (count: number) => {
        for (let one = 0; one < count; one++) {
          const number = made++;
          pace(() => void sent.push(number));
        }
      },
    };
  }

  it('are sent at once while they are few', () => {
    const { sent, refuse } = createPaced();
    for (let second = 0; second < 5; second++) {
      refuse(10);
      expect(sent.length).toBe(10 * (second + 1));
      vi.advanceTimersByTime(1000);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are sent at the rate beyond that, in order', () => {
    const { sent, refuse } = createPaced();
    refuse(300);
    expect(sent.length).toBeLessThanOrEqual(11);
    vi.advanceTimersByTime(100);
    expect(sent.length).toBeGreaterThan(90);
    expect(sent.length).toBeLessThanOrEqual(111);
    vi.advanceTimersByTime(300);
    expect(sent).toEqual(Array.from({ length: 300 }, (_none, at) => at));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('wait for their maximum at most, however many there are', () => {
    const { sent, refuse } = createPaced();
    refuse(900);
    vi.advanceTimersByTime(510);
    expect(sent.length).toBe(900);
  });

  it('are sent at once beyond the number that may wait', () => {
    const { sent, refuse } = createPaced({ refusals_held: 100 });
    refuse(1000);
    expect(1000 - sent.length).toBe(100);
  });

  it('are sent at once again after a moment without any', () => {
    const { sent, refuse } = createPaced();
    refuse(2000);
    vi.advanceTimersByTime(1000);
    sent.length = 0;
    refuse(1);
    expect(sent.length).toBe(1);
  });
});
