/** A token bucket: so many at once, and as many more as the time since has brought. */

export type TokenBucket = {
  /** Whether one more is allowed at a moment of the monotonic clock. */
  take(now_ms: number): boolean;
};

/** @param per_second how many come back in a second; @param burst how many it holds, at first too */
export function createTokenBucket(per_second: number, burst: number): TokenBucket {
  let tokens = burst;
  let filled_at_ms: number | undefined;
  return {
    take(now_ms) {
      if (filled_at_ms !== undefined) tokens = Math.min(burst, tokens + ((now_ms - filled_at_ms) / 1000) * per_second);
      filled_at_ms = now_ms;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
