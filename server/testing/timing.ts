/** Telling two distributions of time apart, as somebody would who guesses from answers' times whether an account exists. */

export type Comparison = {
  /** The median of one over the median of the other. */
  ratio: number;
  /**
   * How often a time of one is longer than a time of the other, ties counted half (Mann and Whitney's U over n·m): 0.5
   * when the two cannot be told apart, 0 or 1 when one answer tells.
   */
  rank: number;
  /** By how much `rank` strays from 0.5 by chance alone: its standard deviation when both are the same. */
  chance: number;
};

/** Compares two samples. Ranks and medians, so that a pause of the machine weighs no more than any other long time. */
export function compareTimes(one: number[], other: number[]): Comparison {
  const all = [...one.map((ms) => ({ ms, mine: true })), ...other.map((ms) => ({ ms, mine: false }))];
  all.sort((a, b) => a.ms - b.ms);
  let wins = 0;
  for (let from = 0, below = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.ms === all[from]?.ms) to++;
    const tied = all.slice(from, to);
    const theirs = tied.filter(({ mine }) => !mine).length;
    wins += (tied.length - theirs) * (below + theirs / 2);
    below += theirs;
    from = to;
  }
  const pairs = one.length * other.length;
  return {
    ratio: median(one) / median(other),
    rank: wins / pairs,
    chance: Math.sqrt((one.length + other.length + 1) / (12 * pairs)),
  };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/**
 * Measures two kinds of request as often each, in an order drawn by lot: no drift of the machine falls on one, and what
 * goes on after an answer slows the same kinds of request that follow.
 */
export async function measureMixed(
  times: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[number[], number[]]> {
  const times_ms: [number[], number[]] = [[], []];
  const order = Array.from({ length: times * 2 }, (_, at) => ({ which: (at % 2) as 0 | 1, lot: Math.random() }));
  order.sort((a, b) => a.lot - b.lot);
  for (const { which } of order) {
    const started_ms = performance.now();
    await (which === 0 ? one() : other());
    times_ms[which].push(performance.now() - started_ms);
  }
  return times_ms;
}
