import { describe, expect, it } from 'vitest';
import { compareTimes, measureMixed } from './timing.ts';

/** Values at equal small steps, so that no two are equal. */
const series = (count: number, from: number, step: number) =>
  Array.from({ length: count }, (_, at) => from + at * step);

describe('comparing times', () => {
  it('compareTimes finds no difference between equal series, and gives little weight to a few pauses', () => {
    const steady = series(200, 10, 0.01);
    expect(compareTimes(steady, [...steady])).toMatchObject({ ratio: 1, rank: 0.5 });
    const paused = steady.map((ms, at) => (at % 40 === 0 ? ms + 500 : ms));
    const { ratio, rank } = compareTimes(paused, steady);
    expect(ratio).toBeCloseTo(1, 1);
    expect(Math.abs(rank - 0.5)).toBeLessThan(0.03);
  });

  it('compareTimes finds a difference visible in one reply, and one visible only in many', () => {
    expect(compareTimes(series(200, 40, 0.01), series(200, 2, 0.01)).rank).toBe(1);
    expect(compareTimes(series(200, 2, 0.01), series(200, 40, 0.01)).rank).toBe(0);
    const { rank, chance } = compareTimes(series(200, 10.5, 0.01), series(200, 10, 0.01));
    expect(rank - 0.5).toBeGreaterThan(5 * chance);
  });

  it('measureMixed measures both requests equally often', async () => {
    const calls = [0, 0];
    const [first, second] = await measureMixed(
      20,
      async () => (calls[0] = (calls[0] ?? 0) + 1),
      async () => (calls[1] = (calls[1] ?? 0) + 1),
    );
    expect([first.length, second.length, ...calls]).toEqual([20, 20, 20, 20]);
  });
});
