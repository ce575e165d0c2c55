/** A token bucket: a burst at once, refilled at a constant rate. */

/** A rate limit that permits bursts. */
export type TokenBucket = {
  /** Consumes a token if one is available at a time of the monotonic clock; returns whether it was. */
  consume(now_ms: number): boolean;
};

/**
 * @param per_second the refill rate;
 * @param burst the capacity, which is also the initial fill
 */
export function createTokenBucket(per_second: number, burst: number): TokenBucket {
  let tokens = burst;
  let filled_at_ms: number | undefined;
  return {
    consume(now_ms) {
      if (filled_at_ms !== undefined) tokens = Math.min(burst, tokens + ((now_ms - filled_at_ms) / 1000) * per_second);
      filled_at_ms = now_ms;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
