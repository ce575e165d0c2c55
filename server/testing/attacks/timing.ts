/** Compares two distributions of time, as an attacker would who infers from reply times whether an account exists. */

import { randomFrom, seedOf, usual_seed } from '../../../testing/seed.ts';

/** How far the times of two kinds of replies can be told apart. */
export type Comparison = {
  /** The median of the first over the median of the second. */
  ratio: number;
  /**
   * How often a time of the first is longer than one of the second, ties counted half (Mann and Whitney's U over n·m):
   * 0.5 when the two are indistinguishable, 0 or 1 when one reply is enough.
   */
  rank: number;
  /** By how much `rank` deviates from 0.5 by chance alone: its standard deviation when both are equal. */
  chance: number;
};

/** Compares two samples. Ranks and medians, so that a pause of the machine weighs no more than any other long time. */
export function compareTimes(first: number[], second: number[]): Comparison {
  const all = [...first.map((ms) => ({ ms, is_first: true })), ...second.map((ms) => ({ ms, is_first: false }))];
  all.sort((a, b) => a.ms - b.ms);
  let wins = 0;
  for (let from = 0, below = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.ms === all[from]?.ms) to++;
    const ties = all.slice(from, to);
    const second_count = ties.filter(({ is_first }) => !is_first).length;
    wins += (ties.length - second_count) * (below + second_count / 2);
    below += second_count;
    from = to;
  }
  const pairs = first.length * second.length;
  return {
    ratio: median(first) / median(second),
    rank: wins / pairs,
    chance: Math.sqrt((first.length + second.length + 1) / (12 * pairs)),
  };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/**
 * Measures two kinds of request equally often, in random order: no drift of the machine affects only one, and
 * background work after a reply slows both kinds of following requests alike.
 */
export async function measureMixed(
  count: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<[number[], number[]]> {
  const times_ms: [number[], number[]] = [[], []];
  const random = randomFrom(seedOf(usual_seed).seed);
  const order = Array.from({ length: count * 2 }, (_, at) => ({
    which: (at % 2) as 0 | 1,
    random_order: random(),
  }));
  order.sort((a, b) => a.random_order - b.random_order);
  for (const { which } of order) {
    const started_ms = performance.now();
    await (which === 0 ? first() : second());
    times_ms[which].push(performance.now() - started_ms);
  }
  return times_ms;
}
