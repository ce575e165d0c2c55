import { useEffect, useMemo, useState } from 'react';

/** A duration as a clock shows it: 4:12, or 1:04:12. @param span_ms in milliseconds */
export function formatClock(span_ms: number): string {
  const total_s = Math.max(0, Math.floor(span_ms / 1_000));
  const two = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(total_s / 3_600), Math.floor(total_s / 60) % 60, total_s % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/**
 * When a clock starts, in milliseconds: at a time of the service, or now, if the clock of this device is behind.
 * @param since an ISO time
 */
export const startOf = (since: string, now_ms: number): number => Math.min(Date.parse(since), now_ms);

/**
 * The time since something started, updated every second.
 * @param since an ISO time; undefined when it has not started
 */
export function useElapsed(since: string | null | undefined): string | undefined {
  const [now_ms, setNow] = useState(() => Date.now());
  const runs = since !== null && since !== undefined;
  const start_ms = useMemo(() => (runs ? startOf(since, Date.now()) : 0), [runs, since]);
  useEffect(() => {
    if (!runs) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [runs]);
  return runs ? formatClock(now_ms - start_ms) : undefined;
}
