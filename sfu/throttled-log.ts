import { LIMITS } from './limits.ts';

/** A log for events that may occur thousands of times per second. */
export type ThrottledLog = (message: string, details?: Record<string, unknown>) => void;

/**
 * Logs each message at most once per interval, with the number of suppressed repetitions as `times`.
 * @param write receives the lines
 */
export function createThrottledLog(write: (message: string, details: Record<string, unknown>) => void): ThrottledLog {
  const known = new Map<string, { written_at_ms: number; times: number }>();
  return (message, details = {}) => {
    const now_ms = performance.now();
    const entry = known.get(message) ?? { written_at_ms: -Infinity, times: 0 };
    known.set(message, entry);
    entry.times++;
    if (now_ms - entry.written_at_ms < LIMITS.error_log_interval_ms) return;
    write(message, { ...details, times: entry.times });
    entry.written_at_ms = now_ms;
    entry.times = 0;
  };
}
