import { describe, expect, it } from 'vitest';
import { compareTimes, measureMixed } from './timing.ts';

/** A thousandth of a round number apart, so that no two are alike. */
const series = (count: number, from: number, step: number) =>
  Array.from({ length: count }, (_, at) => from + at * step);

describe('comparing times', () => {
  it('finds nothing between the same, and little weight in a few pauses', () => {
    const calm = series(200, 10, 0.01);
    expect(compareTimes(calm, [...calm])).toMatchObject({ ratio: 1, rank: 0.5 });
    const paused = calm.map((ms, at) => (at % 40 === 0 ? ms + 500 : ms));
    const { ratio, rank } = compareTimes(paused, calm);
    expect(ratio).toBeCloseTo(1, 1);
    expect(Math.abs(rank - 0.5)).toBeLessThan(0.03);
  });

  it('finds what one answer tells, and what only many tell', () => {
    expect(compareTimes(series(200, 40, 0.01), series(200, 2, 0.01)).rank).toBe(1);
    expect(compareTimes(series(200, 2, 0.01), series(200, 40, 0.01)).rank).toBe(0);
    const { rank, chance } = compareTimes(series(200, 10.5, 0.01), series(200, 10, 0.01));
    expect(rank - 0.5).toBeGreaterThan(5 * chance);
  });

  it('measures both as often', async () => {
    const calls = [0, 0];
    const [one, other] = await measureMixed(
      20,
      async () => (calls[0] = (calls[0] ?? 0) + 1),
      async () => (calls[1] = (calls[1] ?? 0) + 1),
    );
    expect([one.length, other.length, ...calls]).toEqual([20, 20, 20, 20]);
  });
});
