/** Schedules: when an event takes place, from its start, end, time zone, rule and exceptions. */
import { day_s, readDate, writeDate, writeInstant } from './civil.ts';
import { followRule, max_steps, type Steps } from './recurrence.ts';
import { readRule, RuleError, type Rule } from './rule-text.ts';
import { fromLocal, offsetAt, skippedTimeAt, toLocal } from './zones.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** Instants are in seconds since 1970; for an all-day event they are midnights of its zone. */
export type Schedule = {
  starts_s: number;
  ends_s: number;
  all_day: boolean;
  timezone: string;
  rrule: string | null;
  /** The last start by `COUNT`, on the wall clock; null without one. */
  rule_end_s: number | null;
  /** In wire format: dates for all-day events, timestamps otherwise. */
  exdates: string[];
};

/** When an occurrence starts and ends, in seconds since 1970, and its start on the wall clock of its zone. */
export type Occurrence = { starts_s: number; ends_s: number; local_s: number };

/** The maximum of occurrences of one event in an answer: the first ones of its window. */
export const max_occurrences: number = default_limits.event_occurrences;

/** The size of a clock change around an instant. A zone has skipped a whole day, so that days are searched. */
const turnAround = (zone: string, at_s: number): number =>
  Math.abs(offsetAt(zone, at_s + 2 * day_s) - offsetAt(zone, at_s - 2 * day_s));

/** An occurrence's start and end in wire format. */
export function writeOccurrence(
  { all_day, starts_s, ends_s, timezone }: Schedule,
  one: Occurrence,
): { starts_at: string; ends_at: string } {
  if (!all_day) return { starts_at: writeInstant(one.starts_s), ends_at: writeInstant(one.ends_s) };
  const day = Math.floor(one.local_s / day_s);
  return { starts_at: writeDate(day), ends_at: writeDate(day + daysBetween(timezone, starts_s, ends_s)) };
}

const localDay = (timezone: string, at_s: number): number => Math.floor(toLocal(timezone, at_s) / day_s);
const daysBetween = (timezone: string, from_s: number, to_s: number): number =>
  localDay(timezone, to_s) - localDay(timezone, from_s);

/** The name of an occurrence in the list of exceptions. */
export function nameOf({ all_day }: Schedule, one: Occurrence): string {
  return all_day ? writeDate(Math.floor(one.local_s / day_s)) : writeInstant(one.starts_s);
}

/** The start on the event's wall clock; midnight for an all-day event. */
function localStart({ all_day, timezone, starts_s }: Schedule): number {
  return all_day ? localDay(timezone, starts_s) * day_s : toLocal(timezone, starts_s);
}

/** The last start that a rule's `UNTIL` or `COUNT` allows, on the wall clock. */
function lastStart({ timezone, rule_end_s, all_day }: Schedule, { until }: Rule): number {
  if (!until) return rule_end_s ?? Infinity;
  const local_s = until.kind === 'moment' ? toLocal(timezone, until.at_s) : until.at_s;
  // For an all-day event only the date counts.
  return all_day
    ? Math.floor((until.is_date || until.kind === 'local' ? until.at_s : local_s) / day_s) * day_s
    : local_s;
}

/** Converts a wall-clock start to an occurrence. */
export function placeOf(schedule: Schedule, local_s: number): Occurrence {
  const { all_day, timezone, starts_s, ends_s, rrule } = schedule;
  if (rrule === null) return { starts_s, ends_s, local_s };
  const begins_s = fromLocal(timezone, local_s);
  if (!all_day) return { starts_s: begins_s, ends_s: begins_s + (ends_s - starts_s), local_s };
  return {
    starts_s: begins_s,
    ends_s: fromLocal(timezone, local_s + daysBetween(timezone, starts_s, ends_s) * day_s),
    local_s,
  };
}

/**
 * The local starts of a schedule from a local time on, including exceptions. Around a clock change their occurrences may
 * be out of order.
 */
function startsFrom(schedule: Schedule, from_s: number, steps: Steps, to_s = Infinity): Starts {
  if (schedule.rrule === null) return { starts: [localStart(schedule)], last_s: Infinity };
  const rule = readRule(schedule.rrule);
  const last_s = lastStart(schedule, rule);
  // Starting to follow a rule costs a step as well.
  if (steps.left <= 0) return { starts: [], last_s };
  const between = { from_s, to_s: Math.min(to_s, last_s + 1) };
  return { starts: followRule(rule, localStart(schedule), between, steps), last_s };
}

/** Follows one rule with its part of a step budget that several rules share. */
function withShare<T>(shared: Steps, follow: (steps: Steps) => T): T {
  const steps = { left: Math.min(max_steps, shared.left) };
  shared.left -= steps.left;
  const found = follow(steps);
  shared.left += Math.max(0, steps.left);
  return found;
}

/** Starts in order; starts after `last_s` do not count. */
type Starts = { starts: Iterable<number>; last_s: number };

/** All occurrences from a local time on, as above. */
function* occurrencesFrom(schedule: Schedule, from_s: number, steps: Steps): Generator<Occurrence> {
  const { starts, last_s } = startsFrom(schedule, from_s, steps);
  for (const local_s of starts) {
    if (local_s > last_s) return;
    yield placeOf(schedule, local_s);
  }
}

/**
 * The occurrences that overlap a window, in order, without exceptions.
 * @param max the maximum: the first ones
 * @param shared the step budget of all events of an answer; when it is used up nothing is found
 */
export function occurrencesIn(
  schedule: Schedule,
  from_s: number,
  to_s: number,
  max = max_occurrences,
  shared: Steps = { left: max_steps },
): Occurrence[] {
  return withShare(shared, (steps) => searchWindow(schedule, { from_s, to_s }, max, steps));
}

function searchWindow(
  schedule: Schedule,
  { from_s, to_s }: { from_s: number; to_s: number },
  max: number,
  steps: Steps,
): Occurrence[] {
  const { timezone, starts_s, ends_s, exdates, rrule } = schedule;
  const exceptions = new Set(exdates);
  const earliest_s = from_s - (ends_s - starts_s);
  const begin_s = toLocal(timezone, earliest_s) - turnAround(timezone, earliest_s);
  const beyond = disorderOf(rrule);
  const found: Occurrence[] = [];
  const end_s = toLocal(timezone, to_s) + turnAround(timezone, to_s);
  // Faster than the generator of occurrences: a window of a calendar has thousands.
  const { starts, last_s } = startsFrom(schedule, begin_s, steps, end_s);
  for (const local_s of starts) {
    if (local_s > last_s) break;
    steps.left -= 1;
    if (local_s >= end_s) break;
    const one = placeOf(schedule, local_s);
    if (one.ends_s <= from_s || one.starts_s >= to_s) continue;
    if (exceptions.size > 0 && exceptions.has(nameOf(schedule, one))) continue;
    // Local times within a gap are moved, possibly onto others.
    if (found.at(-1)?.starts_s === one.starts_s) continue;
    found.push(one);
    if (found.length >= max + beyond) break;
  }
  if (beyond > 0 && !isSorted(found)) return sortOnce(found).slice(0, max);
  return found.length > max ? found.slice(0, max) : found;
}

/**
 * How many extra occurrences are examined: those of one day may be out of order at a clock change, since times that do
 * not exist are moved behind others.
 */
function disorderOf(rrule: string | null): number {
  if (rrule === null) return 0;
  const { freq, by_hour, by_minute } = readRule(rrule);
  const is_often = ['SECONDLY', 'MINUTELY', 'HOURLY'].includes(freq) || (by_hour ?? by_minute ?? []).length > 1;
  return is_often ? max_out_of_order : 0;
}

const max_out_of_order = 120;
const isSorted = (list: Occurrence[]): boolean =>
  list.every((one, at) => at === 0 || one.starts_s > (list[at - 1]?.starts_s ?? 0));
const sortOnce = (list: Occurrence[]): Occurrence[] =>
  list
    .toSorted((a, b) => a.starts_s - b.starts_s)
    .filter((one, at, all) => at === 0 || one.starts_s !== all[at - 1]?.starts_s);

/**
 * The first occurrence that starts after an instant, without exceptions; undefined when there is none.
 * @param shared as for a window
 */
export function nextAfter(
  schedule: Schedule,
  after_s: number,
  shared: Steps = { left: max_steps },
): Occurrence | undefined {
  const exceptions = new Set(schedule.exdates);
  const { timezone } = schedule;
  const begin_s = toLocal(timezone, after_s) - turnAround(timezone, after_s);
  return withShare(shared, (steps) => {
    for (const one of occurrencesFrom(schedule, begin_s, steps))
      if (one.starts_s > after_s && !exceptions.has(nameOf(schedule, one))) return one;
    return undefined;
  });
}

/**
 * The occurrence that an exception with this name would exclude; undefined when there is none, or it is excluded
 * already.
 * @param shared as for a window
 */
export function occurrenceAt(schedule: Schedule, name: string, shared?: Steps): Occurrence | undefined {
  const at_s = readName(schedule, name);
  if (at_s === undefined) return undefined;
  return occurrencesIn(schedule, at_s, at_s + 1, max_occurrences, shared).find((one) => nameOf(schedule, one) === name);
}

/**
 * The wall-clock time of the occurrence at an instant, or of the instant itself when no occurrence starts there. The
 * two differ just after a gap only, where the rule may name a time that does not exist; only there is it followed.
 * @param shared as for a window; when it is used up, the time of the instant
 */
export function localTimeOf(schedule: Schedule, at_s: number, shared: Steps): number {
  const { timezone, rrule } = schedule;
  const skipped_s = rrule === null ? undefined : skippedTimeAt(timezone, at_s);
  if (skipped_s === undefined || !isStart(schedule, skipped_s, shared)) return toLocal(timezone, at_s);
  return skipped_s;
}

/** Whether a schedule has a start at a wall-clock time, excluded or not. */
function isStart(schedule: Schedule, local_s: number, shared: Steps): boolean {
  return withShare(shared, (steps) => {
    const { starts, last_s } = startsFrom(schedule, local_s, steps, local_s + 1);
    for (const one of starts) return one === local_s && local_s <= last_s;
    return false;
  });
}

function readName({ all_day, timezone }: Schedule, name: string): number | undefined {
  const day = readDate(name);
  if (all_day) return day === undefined ? undefined : fromLocal(timezone, day * day_s);
  const at_ms = day === undefined ? Date.parse(name) : Number.NaN;
  return Number.isNaN(at_ms) ? undefined : Math.floor(at_ms / 1000);
}

/** Derived values stored with a schedule: its overall span, and where its `COUNT` ends. */
export type Span = { first_s: number; last_s: number; rule_end_s: number | null };

/**
 * Follows a new rule to its first and, if it ends, its last occurrence.
 * @throws RuleError when the rule is invalid, has no occurrence, or exceeds the step limit
 */
export function measure(schedule: Omit<Schedule, 'rule_end_s'>): Span {
  const open = { ...schedule, rule_end_s: null };
  if (schedule.rrule === null) return { first_s: schedule.starts_s, last_s: schedule.ends_s, rule_end_s: null };
  const rule = readRule(schedule.rrule);
  const steps = { left: max_steps };
  let first: Occurrence | undefined;
  let last: Occurrence | undefined;
  let left = rule.count ?? 1;
  for (const one of occurrencesFrom(open, -Infinity, steps)) {
    first ??= one;
    last = one;
    if (--left === 0) break;
  }
  if (!first || !last) throw new RuleError('has no occurrences');
  if (rule.count !== undefined) {
    if (steps.left < 0) throw new RuleError('is too long');
    return { first_s: first.starts_s, last_s: last.ends_s, rule_end_s: last.local_s };
  }
  if (!rule.until) return { first_s: first.starts_s, last_s: Infinity, rule_end_s: null };
  const end = placeOf(open, lastStart(open, rule));
  return { first_s: first.starts_s, last_s: end.ends_s + day_s, rule_end_s: null };
}
