/**
 * How many requests may be worked on at once, found from how long a turn of the event loop takes. What waits in front of
 * a busy node waits for turns: a request is read in one, its rows come in a later one. Refusing costs time as well, and
 * the more is offered, the less is left for what is accepted; so fewer are taken while turns are long.
 */

export type LoadLimit = {
  /** How many may be worked on now. */
  current(): number;
  /** To be called for each request that is read. */
  noteRead(): void;
};

export type LoadBounds = {
  /** The most that may be worked on, and the fewest that the limit goes down to. */
  most: number;
  least: number;
  /** How long a turn may be, in ms. */
  turn_ms: number;
};

/** What one long turn leaves of the limit, at least and at most. */
const kept = { least: 0.5, most: 0.95 } as const;
/** How fast it comes back, in requests a millisecond. */
const growth_per_ms = 0.1;

/**
 * Makes a limit that begins at its most.
 * @param now_ms reads the clock, and `atTurnEnd` runs something at the end of the turn: for tests
 */
export function createLoadLimit(
  { most, least, turn_ms }: LoadBounds,
  now_ms: () => number = () => performance.now(),
  atTurnEnd: (act: () => void) => void = setImmediate,
): LoadLimit {
  let limit = most;
  let began_ms: number | undefined;
  let was_long = false;
  let ended_ms = now_ms();

  function endTurn(): void {
    const at_ms = now_ms();
    const took_ms = at_ms - (began_ms ?? at_ms);
    began_ms = undefined;
    const is_long = took_ms > turn_ms;
    // A single long one is a burst or a large answer; when the next is long as well, there is a queue.
    if (is_long && was_long)
      limit = Math.max(least, limit * Math.min(kept.most, Math.max(kept.least, turn_ms / took_ms)));
    if (!is_long) limit = Math.min(most, limit + (at_ms - ended_ms) * growth_per_ms);
    was_long = is_long;
    ended_ms = at_ms;
  }

  return {
    current: () => limit,
    noteRead() {
      if (began_ms !== undefined) return;
      began_ms = now_ms();
      atTurnEnd(endTurn);
    },
  };
}
