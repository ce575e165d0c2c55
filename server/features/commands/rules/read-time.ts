/**
 * Parses English times to instants. Clock and time zone are parameters, so that the result is the same on every server.
 * The preview shows every guess as an absolute time.
 */
import { nextOccurrence } from '../../../domain/recurrence/next-occurrence.ts';
import { isTimeZone } from '../../../domain/recurrence/zones.ts';
import { readClock, type ClockTime, type Read } from './read-clock.ts';
import { readDay, readRepetition, readDuration, type Repetition, type DayPhrase, type Duration } from './read-day.ts';
import { day_parts, zoneOf } from './time-words.ts';
import { momentAt, wallClock } from './wall-clock.ts';

export type When = { at: Date; timezone: string; rrule: string | undefined };
export type TimeContext = { now: Date; timezone: string };

/** The maximum of words in a phrase. */
export const max_time_words = 14;
/** The default time when only a day is given. */
const usual_hour = 9;
const fillers = new Set(['at', '@', 'on', 'the', 'by', ',', 'of', 'around', 'starting', 'from']);

/** The parts parsed so far; each may occur once. */
type ParsedTime = {
  clock?: ClockTime;
  part?: { hour: number; is_late: boolean };
  day?: DayPhrase;
  duration?: Duration;
  repetition?: Repetition;
  zone?: string;
  moment?: Date;
  is_midnight?: boolean;
};

/**
 * The instant that a phrase means.
 * @param words in lower case, with commas as separate words
 * @returns undefined when they are not a time
 */
export function readTime(words: readonly string[], { now, timezone }: TimeContext): When | undefined {
  if (words.length === 0 || words.length > max_time_words) return undefined;
  const said: ParsedTime = {};
  for (let at = 0; at < words.length;) {
    const taken = readNext(words.slice(at), words[at - 1], said);
    if (taken === 0) return undefined;
    at += taken;
  }
  const zone = said.zone ?? timezone;
  if (said.moment)
    return Object.keys(said).length === 1 ? { at: said.moment, timezone: zone, rrule: undefined } : undefined;
  return settle(said, { now, timezone: zone });
}

/** Parses one part; returns the number of words consumed, 0 for an unknown or repeated part. */
function readNext(words: readonly string[], before: string | undefined, said: ParsedTime): number {
  const [first = ''] = words;
  const keep = <K extends keyof ParsedTime>(
    name: K,
    read: Read<NonNullable<ParsedTime[K]>> | undefined,
    extra = 0,
  ): number => {
    if (!read || said[name] !== undefined) return 0;
    said[name] = read.value;
    return read.taken + extra;
  };
  const taken =
    readStretchAt(words, keep) ||
    keep('moment', readInstant(first)) ||
    keep('repetition', readRepetition(words)) ||
    keep('day', readDay(words)) ||
    readPartAt(words, said, keep) ||
    keep('clock', readClock(words, isMarkedAsTime(words, before, said)));
  if (taken > 0) return taken;
  const zone = zoneOf(first);
  if (zone && isTimeZone(zone)) return keep('zone', { value: nameOf(zone), taken: 1 }, words[1] === 'time' ? 1 : 0);
  return fillers.has(first) && words.length > 1 ? 1 : 0;
}

/**
 * Whether a bare number is a time: after "at" or a day, or before a part of the day ("8 in the morning", "9 at night").
 */
function isMarkedAsTime(
  [, second, third, fourth = '']: readonly string[],
  before: string | undefined,
  said: ParsedTime,
): boolean {
  if (['at', '@', 'by', 'around'].includes(before ?? '') || said.day !== undefined) return true;
  return second === 'in' && third === 'the' ? Object.hasOwn(day_parts, fourth) : second === 'at' && third === 'night';
}

/** The canonical name of a zone. */
const nameOf = (zone: string): string => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;

type Keep = <K extends keyof ParsedTime>(
  name: K,
  read: Read<NonNullable<ParsedTime[K]>> | undefined,
  extra?: number,
) => number;

function readStretchAt(words: readonly string[], keep: Keep): number {
  if (words[0] === 'in' || words[0] === 'after') return keep('duration', readDuration(words.slice(1)), 1);
  const read = readDuration(words);
  if (!read) return 0;
  const [next, then] = words.slice(read.taken);
  if (`${next} ${then}` === 'from now') return keep('duration', read, 2);
  return next === 'later' ? keep('duration', read, 1) : 0;
}

function readPartAt(words: readonly string[], said: ParsedTime, keep: Keep): number {
  const [first = '', second = '', third = ''] = words;
  if (first === 'tonight' && !said.day) {
    said.day = { kind: 'in_days', days: 0 };
    return keep('part', { value: { hour: 20, is_late: true }, taken: 1 });
  }
  if (first === 'midnight') return keep('is_midnight', { value: true, taken: 1 });
  if (first === 'eod' || (first === 'end' && second === 'of' && third === 'day'))
    return keep('part', { value: { hour: 17, is_late: true }, taken: first === 'eod' ? 1 : 3 });
  const in_the = first === 'in' && second === 'the';
  const name = in_the ? third : first === 'this' ? second : first;
  if (!Object.hasOwn(day_parts, name)) return 0;
  if (first === 'this') {
    if (said.day) return 0;
    said.day = { kind: 'in_days', days: 0 };
  }
  return keep('part', {
    value: day_parts[name] as NonNullable<ParsedTime['part']>,
    taken: in_the ? 3 : first === 'this' ? 2 : 1,
  });
}

/** An instant in RFC 3339 format, with its offset. */
function readInstant(word: string): Read<Date> | undefined {
  if (!/^\d{4}-\d\d-\d\dt\d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d:\d\d)$/.test(word)) return undefined;
  const value = new Date(word.toUpperCase());
  return Number.isNaN(value.getTime()) ? undefined : { value, taken: 1 };
}

function settle(said: ParsedTime, context: TimeContext): When | undefined {
  const { repetition, duration, day } = said;
  const { timezone } = context;
  if (said.is_midnight && (said.clock || said.part)) return undefined;
  const has_time = said.clock !== undefined || said.part !== undefined || said.is_midnight === true;
  if (duration) {
    if (day || repetition) return undefined;
    const at = addDuration(duration, has_time ? timeOf(said) : undefined, context);
    return at && { at, timezone, rrule: undefined };
  }
  if (repetition) return settleRhythm(said, repetition, context);
  if (!day && !has_time) return undefined;
  const at = day ? onDay(said, day, has_time, context) : nextTime(said, context);
  return at && { at, timezone, rrule: undefined };
}

/** The next instant at which the zone's wall clock shows the time. */
function nextTime(said: ParsedTime, { now, timezone }: TimeContext): Date {
  const today = wallClock(now, timezone).toPlainDate();
  const { clock } = said;
  // Without "am" or "pm" the earlier possibility today counts.
  const hours = clock?.is_open && !said.part ? [clock.hour % 12, (clock.hour % 12) + 12] : undefined;
  for (const hour of hours ?? [timeOf(said).hour]) {
    const at = momentAt(today.toPlainDateTime({ ...timeOf(said), hour }), timezone);
    if (at > now) return at;
  }
  return momentAt(today.add({ days: 1 }).toPlainDateTime(timeOf(said)), timezone);
}

/** The time of day. An ambiguous hour is in waking hours. */
function timeOf({ clock, part, is_midnight }: ParsedTime): { hour: number; minute: number } {
  if (is_midnight) return { hour: 0, minute: 0 };
  if (!clock) return { hour: part?.hour ?? usual_hour, minute: 0 };
  const { hour, minute, is_open } = clock;
  if (!is_open) return { hour, minute };
  const is_late = part ? part.is_late : hour < 7 || hour === 12;
  return { hour: (hour % 12) + (is_late ? 12 : 0), minute };
}

function onDay(said: ParsedTime, day: DayPhrase, has_time: boolean, { now, timezone }: TimeContext): Date | undefined {
  const local = wallClock(now, timezone);
  const today = local.toPlainDate();
  const time = timeOf(said);
  const on = (date: Temporal.PlainDate) => momentAt(date.toPlainDateTime(time), timezone);
  if (day.kind === 'in_days') {
    if (day.days > 0) return on(today.add({ days: day.days }));
    if (said.is_midnight) return on(today.add({ days: 1 }));
    // "today" alone, or a part of it that has begun: in an hour.
    if (!said.clock && on(today) <= now)
      return momentAt(local.add({ hours: 1 }).with({ second: 0, millisecond: 0 }), timezone);
    const later = said.clock?.is_open && !said.part ? nextTime(said, { now, timezone }) : on(today);
    return later;
  }
  if (day.kind === 'next') {
    if (day.unit !== 'weeks') return on(today.add({ [day.unit]: 1 }));
    return on(today.add({ days: 8 - today.dayOfWeek }));
  }
  if (day.kind === 'week_day') {
    if (day.is_next) return on(today.add({ days: 7 - today.dayOfWeek + day.day }));
    const date = today.add({ days: (day.day - today.dayOfWeek + 7) % 7 });
    return on(date) > now && (has_time || !date.equals(today))
      ? on(date)
      : on(today.add({ days: ((day.day - today.dayOfWeek + 6) % 7) + 1 }));
  }
  return onMonthDay(day, today, on, now);
}

function onMonthDay(
  { day, month, year }: Extract<DayPhrase, { kind: 'month_day' }>,
  today: Temporal.PlainDate,
  on: (date: Temporal.PlainDate) => Date,
  now: Date,
): Date | undefined {
  if (year !== undefined && month !== undefined) return on(Temporal.PlainDate.from({ year, month, day }));
  // The first such day that is not over: in this or a later month, or in this or a later year.
  for (let ahead = 0; ahead <= 8; ahead++) {
    const first =
      month === undefined
        ? today.with({ day: 1 }).add({ months: ahead })
        : today.with({ day: 1 }).add({ years: ahead }).with({ month });
    if (day > first.daysInMonth) continue;
    const at = on(first.with({ day }));
    if (at > now) return at;
  }
  return undefined;
}

/** Hours and minutes are elapsed time; days and longer units keep the wall-clock time. */
function addDuration(
  { minutes = 0, hours = 0, days = 0, weeks = 0, months = 0, years = 0 }: Duration,
  time: { hour: number; minute: number } | undefined,
  { now, timezone }: TimeContext,
): Date | undefined {
  const whole_days = Math.trunc(days + weeks * 7);
  const rest_ms = ((days + weeks * 7 - whole_days) * 24 * 60 + hours * 60 + minutes) * 60_000;
  if (time && rest_ms > 0) return undefined;
  const local = wallClock(now, timezone).add({ years, months, days: whole_days });
  const is_moved = whole_days > 0 || months > 0 || years > 0;
  const begun = is_moved || time ? momentAt(time ? local.toPlainDate().toPlainDateTime(time) : local, timezone) : now;
  return new Date(Math.floor((begun.getTime() + rest_ms) / 1000) * 1000);
}

function settleRhythm(said: ParsedTime, repetition: Repetition, { now, timezone }: TimeContext): When | undefined {
  const { day } = said;
  const rule =
    repetition.rule.startsWith('FREQ=WEEKLY') && repetition.days.length === 0 && day?.kind === 'week_day'
      ? undefined
      : repetition.rule;
  const local = wallClock(now, timezone).with({ second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 });
  const is_hourly = repetition.rule.startsWith('FREQ=HOURLY');
  if (is_hourly && !said.clock && !said.part && !day)
    return { at: momentAt(local.add({ hours: intervalOf(repetition) }), timezone), timezone, rrule: repetition.rule };
  const at = day
    ? onDay(said, day, true, { now, timezone })
    : nextOccurrence(
        repetition.rule,
        momentAt(local.toPlainDate().toPlainDateTime(timeOf(said)), timezone),
        timezone,
        now,
      );
  return at && { at, timezone, rrule: rule ?? repetition.rule };
}

const intervalOf = ({ rule }: Repetition): number => Number(/;INTERVAL=(\d+)/.exec(rule)?.[1] ?? 1);
