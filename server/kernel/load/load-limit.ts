/**
 * The adaptive concurrency limit: how many requests may be worked on at once, derived from the duration of event loop
 * turns. A request takes a few turns: it is read in one, its rows arrive in a later one. On a saturated loop turns grow
 * with the backlog of readable sockets, so the limit is lowered until turns are short again.
 */

/** A limit of concurrent requests that follows the load. */
export type LoadLimit = {
  /** The current limit. */
  current(): number;
  /** To be called for each request that is read. */
  recordRead(): void;
};

/** The bounds and the target of the limit. */
export type LoadBounds = {
  /** The upper and lower bound of the limit. */
  max: number;
  min: number;
  /** The target duration of a turn, in ms. */
  turn_ms: number;
};

/** The factors by which one long turn reduces the limit, at least and at most. */
const reduction = { min: 0.5, max: 0.95 } as const;
/** The rate of recovery, in requests per millisecond. */
const growth_per_ms = 0.1;

/** A loop that is active for more than this fraction of its time is saturated. */
const busy_share = 0.9;

/** This many long turns in a row indicate a backlog; fewer are a burst or a large answer. */
const turns_in_a_row = 2;

/** Times in ms: wall clock, CPU time of this thread, and non-idle time of the loop. */
export type Moment = { clock_ms: number; processor_ms: number; active_ms: number };

function readMoment(): Moment {
  const { user, system } = process.threadCpuUsage();
  const { active } = performance.eventLoopUtilization();
  return { clock_ms: performance.now(), processor_ms: (user + system) / 1000, active_ms: active };
}

/**
 * Creates a limit that starts at its upper bound.
 * @param now reads the times, and `atTurnEnd` runs a callback at the end of the turn: for tests
 */
export function createLoadLimit(
  { max, min, turn_ms }: LoadBounds,
  now: () => Moment = readMoment,
  atTurnEnd: (act: () => void) => void = setImmediate,
): LoadLimit {
  let limit = max;
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
    // A turn is also long when other processes had the CPU, but then lowering the limit does not help.
    const is_long = took_ms > turn_ms && took_ms > busy_share * passed_ms && worked_ms > turn_ms / 2;
    long_turns = is_long ? long_turns + 1 : 0;
    if (long_turns >= turns_in_a_row)
      limit = Math.max(min, limit * Math.min(reduction.max, Math.max(reduction.min, turn_ms / took_ms)));
    if (!is_long) limit = Math.min(max, limit + passed_ms * growth_per_ms);
  }

  return {
    current: () => limit,
    recordRead() {
      if (is_open) return;
      is_open = true;
      atTurnEnd(endTurn);
    },
  };
}
