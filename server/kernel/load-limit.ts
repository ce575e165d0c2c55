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

/** So many long turns in a row are a queue; fewer are a burst or a large answer. */
const turns_in_a_row = 3;

/** A moment, in ms: of the clock, and of the time that the processor has given to this thread. */
export type Moment = { clock_ms: number; processor_ms: number };

function readMoment(): Moment {
  const { user, system } = process.threadCpuUsage();
  return { clock_ms: performance.now(), processor_ms: (user + system) / 1000 };
}

/**
 * Makes a limit that begins at its most.
 * @param now reads the time, and `atTurnEnd` runs something at the end of the turn: for tests
 */
export function createLoadLimit(
  { most, least, turn_ms }: LoadBounds,
  now: () => Moment = readMoment,
  atTurnEnd: (act: () => void) => void = setImmediate,
): LoadLimit {
  let limit = most;
  let began: Moment | undefined;
  let long_turns = 0;
  let ended_ms = now().clock_ms;

  function endTurn(): void {
    const at = now();
    const took_ms = at.clock_ms - (began ?? at).clock_ms;
    const worked_ms = at.processor_ms - (began ?? at).processor_ms;
    began = undefined;
    // A turn that others kept from the processor is long as well, but there is no more to do for that.
    const is_long = took_ms > turn_ms && worked_ms > turn_ms / 2;
    long_turns = is_long ? long_turns + 1 : 0;
    if (long_turns >= turns_in_a_row)
      limit = Math.max(least, limit * Math.min(kept.most, Math.max(kept.least, turn_ms / took_ms)));
    if (!is_long) limit = Math.min(most, limit + (at.clock_ms - ended_ms) * growth_per_ms);
    ended_ms = at.clock_ms;
  }

  return {
    current: () => limit,
    noteRead() {
      if (began) return;
      began = now();
      atTurnEnd(endTurn);
    },
  };
}
