/**
 * How many requests may be worked on at once, found from how long a turn of the event loop takes. A request needs a few
 * turns: it is read in one, its rows come in a later one. On a loop that never idles turns grow with the backlog of
 * sockets to read, so fewer requests are taken until turns are short again.
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

/** A loop that is active for more than this share of its time is saturated. */
const busy_share = 0.9;

/** So many long turns in a row are a queue; fewer are a burst or a large answer. */
const turns_in_a_row = 2;

/** Times in ms: by the clock, what the processor has given to this thread, and what the loop was not idle. */
export type Moment = { clock_ms: number; processor_ms: number; active_ms: number };

function readMoment(): Moment {
  const { user, system } = process.threadCpuUsage();
  const { active } = performance.eventLoopUtilization();
  return { clock_ms: performance.now(), processor_ms: (user + system) / 1000, active_ms: active };
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
  let is_open = false;
  let long_turns = 0;
  let ended = now();

  function endTurn(): void {
    const at = now();
    is_open = false;
    const passed_ms = at.clock_ms - ended.clock_ms;
    const took_ms = at.active_ms - ended.active_ms;
    const worked_ms = at.processor_ms - ended.processor_ms;
    ended = at;
    // A turn that others kept from the processor is long as well, but there is no more to do for that.
    const is_long = took_ms > turn_ms && took_ms > busy_share * passed_ms && worked_ms > turn_ms / 2;
    long_turns = is_long ? long_turns + 1 : 0;
    if (long_turns >= turns_in_a_row)
      limit = Math.max(least, limit * Math.min(kept.most, Math.max(kept.least, turn_ms / took_ms)));
    if (!is_long) limit = Math.min(most, limit + passed_ms * growth_per_ms);
  }

  return {
    current: () => limit,
    noteRead() {
      if (is_open) return;
      is_open = true;
      atTurnEnd(endTurn);
    },
  };
}
