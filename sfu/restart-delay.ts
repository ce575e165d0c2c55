import { LIMITS } from './limits.ts';

/** Computes the delay before something that failed is restarted. */
export type RestartDelay = {
  /**
   * @param uptime_ms how long it ran
   * @returns the delay in ms; doubled with each failure soon after a start, up to a maximum
   */
  next(uptime_ms: number): number;
};

/** Creates one that has seen no failure. */
export function createRestartDelay(): RestartDelay {
  let delay_ms = 0;
  return {
    next(uptime_ms) {
      delay_ms =
        uptime_ms >= LIMITS.restart_stable_ms || delay_ms === 0
          ? LIMITS.restart_delay_ms
          : Math.min(delay_ms * 2, LIMITS.restart_delay_max_ms);
      return delay_ms;
    },
  };
}
