import type { Call } from '@asterism/sdk';
import { useEffect, useMemo, useState } from 'react';

/** A duration as a clock shows it: 4:12, or 1:04:12. @param span_ms in milliseconds */
export function formatClock(span_ms: number): string {
  const total_s = Math.max(0, Math.floor(span_ms / 1_000));
  const two = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(total_s / 3_600), Math.floor(total_s / 60) % 60, total_s % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** A participant, and when they came into the call. */
type Present = Pick<Call['participants'][number], 'id' | 'joined_at'>;

/**
 * Since when the reader has been in a call with somebody else, as an ISO time: a clock does not count how long it rang,
 * or how long one was alone. Undefined before.
 */
export function togetherSince(participants: readonly Present[], own: Present | undefined): string | undefined {
  const begun = own?.joined_at;
  const others = participants.flatMap(({ id, joined_at }) => (id === own?.id || joined_at === null ? [] : [joined_at]));
  if (begun === null || begun === undefined || others.length === 0) return undefined;
  const first = others.reduce((one, other) => (Date.parse(one) < Date.parse(other) ? one : other));
  return Date.parse(first) < Date.parse(begun) ? begun : first;
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
