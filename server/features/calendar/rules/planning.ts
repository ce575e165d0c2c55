/** Planning: what is due for an event, and when to check it again. */
import { nextAfter, occurrencesIn, type Schedule } from '../../../domain/recurrence/schedule.ts';
import { readRule } from '../../../domain/recurrence/rule-text.ts';

/** What of an event decides when something is due; reminders in minutes before the start. */
export type Planned = { schedule: Schedule; reminders: number[]; call_enabled: boolean };

/** An occasion for a notification: the start of an occurrence, or a reminder of it. */
export type Due = { kind: 'event_starting' | 'event_reminder'; starts_s: number; at_s: number };

/** Anything later than this is skipped. */
export const max_late_s = 24 * 60 * 60;
/** The maximum of notifications about one event at once, for example after an outage: the newest. */
const max_due = 10;

/** The earliest time before an occurrence at which anything is notified, in seconds. */
const leadsOf = ({ reminders, call_enabled }: Planned): { kind: Due['kind']; lead_s: number }[] => [
  ...(call_enabled ? [{ kind: 'event_starting' as const, lead_s: 0 }] : []),
  ...reminders.map((minutes) => ({ kind: 'event_reminder' as const, lead_s: minutes * 60 })),
];

/** What became due after one time and until another, oldest first. */
export function dueBetween(event: Planned, notified_until_s: number, now_s: number): Due[] {
  const after_s = Math.max(notified_until_s, now_s - max_late_s);
  const found = leadsOf(event).flatMap(({ kind, lead_s }) =>
    occurrencesIn(event.schedule, after_s + lead_s, now_s + lead_s + 1)
      .map(({ starts_s }) => ({ kind, starts_s, at_s: starts_s - lead_s }))
      .filter(({ at_s }) => at_s > after_s && at_s <= now_s),
  );
  return found.toSorted((a, b) => a.at_s - b.at_s).slice(-max_due);
}

/** When an event is checked next; times in seconds since 1970. */
export type Plan = {
  /** Of the current occurrence, or else the next one. */
  next_starts_s: number | null;
  /** When to check again; null when nothing follows. */
  next_check_s: number | null;
};

/**
 * The minimum interval between checks of an event, so that events that recur by minutes or seconds do not fill the
 * queue.
 */
const min_pause_s = 900;

/** When the current or next occurrence starts, and when something is due next. */
export function planAfter(event: Planned, now_s: number): Plan {
  const [current] = occurrencesIn(event.schedule, now_s, now_s + 1, 1);
  const next = nextAfter(event.schedule, now_s);
  const next_starts_s = (current ?? next)?.starts_s ?? null;
  const looks = leadsOf(event).flatMap(({ lead_s }) => {
    const led = lead_s === 0 ? next : nextAfter(event.schedule, now_s + lead_s);
    return led ? [led.starts_s - lead_s] : [];
  });
  if (current) looks.push(current.ends_s);
  if (next) looks.push(next.starts_s);
  if (looks.length === 0) return { next_starts_s, next_check_s: null };
  const next_check_s = Math.min(...looks);
  const { rrule } = event.schedule;
  if (rrule === null) return { next_starts_s, next_check_s };
  const is_often = ['SECONDLY', 'MINUTELY'].includes(readRule(rrule).freq);
  return { next_starts_s, next_check_s: Math.max(next_check_s, now_s + (is_often ? min_pause_s : 1)) };
}
