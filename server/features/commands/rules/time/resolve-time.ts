/** From the parts of a phrase to an instant, on the wall clock of a time zone. */
import { nextOccurrence } from '../../../../domain/recurrence/next-occurrence.ts';
import type { ClockTime } from './read-clock.ts';
import type { DayPhrase, Duration, Repetition } from './read-day.ts';
import { momentAt, wallClock } from './wall-clock.ts';

/** An instant, the zone in which it was named, and the rule by which it repeats. */
export type When = { at: Date; timezone: string; rrule: string | undefined };
/** When and in which zone a phrase was written. */
export type TimeContext = { now: Date; timezone: string };

/** The default time when only a day is given. */
const usual_hour = 9;

/** The parts of a phrase; each may occur once. */
export type ParsedTime = {
  clock?: ClockTime;
  part?: { hour: number; is_late: boolean };
  day?: DayPhrase;
  duration?: Duration;
  repetition?: Repetition;
  zone?: string;
  moment?: Date;
  is_midnight?: boolean;
};

/** The instant of a parsed phrase; undefined when its parts contradict each other. The preview shows it as an absolute time. */
export function resolveTime(parsed: ParsedTime, context: TimeContext): When | undefined {
  const { repetition, duration, day } = parsed;
  const { timezone } = context;
  if (parsed.is_midnight && (parsed.clock || parsed.part)) return undefined;
  const has_time = parsed.clock !== undefined || parsed.part !== undefined || parsed.is_midnight === true;
  if (duration) {
    if (day || repetition) return undefined;
    const at = addDuration(duration, has_time ? timeOf(parsed) : undefined, context);
    return at && { at, timezone, rrule: undefined };
  }
  if (repetition) return resolveRepetition(parsed, repetition, context);
  if (!day && !has_time) return undefined;
  const at = day ? onDay(parsed, day, has_time, context) : nextTime(parsed, context);
  return at && { at, timezone, rrule: undefined };
}

/** The next instant at which the zone's wall clock shows the time. */
function nextTime(parsed: ParsedTime, { now, timezone }: TimeContext): Date {
  const today = wallClock(now, timezone).toPlainDate();
  const { clock } = parsed;
  // Without "am" or "pm" the earlier possibility today counts.
  const hours = clock?.is_open && !parsed.part ? [clock.hour % 12, (clock.hour % 12) + 12] : undefined;
  for (const hour of hours ?? [timeOf(parsed).hour]) {
    const at = momentAt(today.toPlainDateTime({ ...timeOf(parsed), hour }), timezone);
    if (at > now) return at;
  }
  return momentAt(today.add({ days: 1 }).toPlainDateTime(timeOf(parsed)), timezone);
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

function onDay(
  parsed: ParsedTime,
  day: DayPhrase,
  has_time: boolean,
  { now, timezone }: TimeContext,
): Date | undefined {
  const local = wallClock(now, timezone);
  const today = local.toPlainDate();
  const time = timeOf(parsed);
  const on = (date: Temporal.PlainDate) => momentAt(date.toPlainDateTime(time), timezone);
  if (day.kind === 'in_days') {
    if (day.days > 0) return on(today.add({ days: day.days }));
    if (parsed.is_midnight) return on(today.add({ days: 1 }));
    // "today" alone, or a part of it that has begun: in an hour.
    if (!parsed.clock && on(today) <= now)
      return momentAt(local.add({ hours: 1 }).with({ second: 0, millisecond: 0 }), timezone);
    const later = parsed.clock?.is_open && !parsed.part ? nextTime(parsed, { now, timezone }) : on(today);
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

function resolveRepetition(
  parsed: ParsedTime,
  repetition: Repetition,
  { now, timezone }: TimeContext,
): When | undefined {
  const { day } = parsed;
  const rule =
    repetition.rule.startsWith('FREQ=WEEKLY') && repetition.days.length === 0 && day?.kind === 'week_day'
      ? undefined
      : repetition.rule;
  const local = wallClock(now, timezone).with({ second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 });
  const is_hourly = repetition.rule.startsWith('FREQ=HOURLY');
  if (is_hourly && !parsed.clock && !parsed.part && !day)
    return { at: momentAt(local.add({ hours: intervalOf(repetition) }), timezone), timezone, rrule: repetition.rule };
  const at = day
    ? onDay(parsed, day, true, { now, timezone })
    : nextOccurrence(
        repetition.rule,
        momentAt(local.toPlainDate().toPlainDateTime(timeOf(parsed)), timezone),
        timezone,
        now,
      );
  return at && { at, timezone, rrule: rule ?? repetition.rule };
}

const intervalOf = ({ rule }: Repetition): number => Number(/;INTERVAL=(\d+)/.exec(rule)?.[1] ?? 1);
