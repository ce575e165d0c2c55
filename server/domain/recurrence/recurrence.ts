/**
 * Recurrence (RFC 5545, section 3.3.10) on a wall clock: the local times of a rule, in order. It iterates over periods
 * (days, weeks, hours …), can start at any moment without iterating from the start, and counts its steps.
 */
import { dateOf, day_s, dayOf, daysInMonth, isLeap, weekdayOf, type CivilDate } from './civil.ts';
import type { Frequency, Rule } from './rule-text.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** The step budget; a rule that needs more is not followed any further. */
export type Steps = { left: number };

/** The step limit: the number of days or times that are tried, which takes some milliseconds. */
export const max_steps = default_limits.recurrence_steps;

/** The last day of the year 9998, beyond which nothing recurs. */
const last_day = dayOf(9999, 1, 1) - 1;

const unit_s: Partial<Record<Frequency, number>> = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3600 };

/** A rule, completed from the event's start, and the local times between which it is followed. */
type Frame = { rule: Rule; start_day: number; times: number[]; from_s: number; to_s: number };

/** All times of day, in order. Loops, since a rule may have a time for every minute and a page thousands of rules. */
function timesOf(hours: number[], minutes: number[], seconds: number[]): number[] {
  const times: number[] = [];
  for (const hour of hours)
    for (const minute of minutes)
      for (const second of seconds) if (second < 60) times.push(hour * 3600 + minute * 60 + second);
  return times;
}

/** Whether a day is the nth of its weekday among some days, counted from the front or the back. */
const isNth = (nth: number, index: number, length: number): boolean =>
  nth === 0 || (nth > 0 ? Math.floor(index / 7) + 1 === nth : Math.floor((length - 1 - index) / 7) + 1 === -nth);

type DayFacts = CivilDate & { month_days: number; year_days: number; year_day: number };

/** A cache of calendar facts, since the rules of one answer need the same few days. */
const known_days = new Map<number, DayFacts>();
const max_known_days = 4000;

function factsOf(day_number: number): DayFacts {
  const known = known_days.get(day_number);
  if (known) return known;
  const date = dateOf(day_number);
  const facts = {
    ...date,
    month_days: daysInMonth(date.year, date.month),
    year_days: isLeap(date.year) ? 366 : 365,
    year_day: day_number - dayOf(date.year, 1, 1),
  };
  if (known_days.size >= max_known_days) known_days.clear();
  known_days.set(day_number, facts);
  return facts;
}

function isRuleDay(rule: Rule, day_number: number): boolean {
  const { by_month, by_month_day, by_year_day, by_day } = rule;
  const weekday = weekdayOf(day_number);
  if (by_day && !by_day.some((one) => one.weekday === weekday)) return false;
  if (!by_month && !by_month_day && !by_year_day && !by_day?.some(({ nth }) => nth !== 0)) return true;
  const { month, day, month_days, year_days, year_day } = factsOf(day_number);
  if (by_month && !by_month.includes(month)) return false;
  if (by_month_day && !by_month_day.includes(day) && !by_month_day.includes(day - month_days - 1)) return false;
  if (by_year_day && !by_year_day.includes(year_day + 1) && !by_year_day.includes(year_day - year_days)) return false;
  if (!by_day) return true;
  const in_month = rule.freq === 'MONTHLY' || by_month !== undefined;
  return by_day.some(
    (one) =>
      one.weekday === weekday && (in_month ? isNth(one.nth, day - 1, month_days) : isNth(one.nth, year_day, year_days)),
  );
}

/** The first day of week 1 of a year: the first week with at least four days in it. */
function firstWeekOf(year: number, week_start: number): number {
  const first = dayOf(year, 1, 1);
  const begins = first - ((weekdayOf(first) - week_start + 7) % 7);
  return first - begins > 3 ? begins + 7 : begins;
}

function daysOfWeeks(rule: Rule, year: number): number[] {
  const first = firstWeekOf(year, rule.week_start);
  const weeks = (firstWeekOf(year + 1, rule.week_start) - first) / 7;
  const wanted = [...new Set((rule.by_week_no ?? []).map((one) => (one < 0 ? weeks + one + 1 : one)))];
  return wanted
    .filter((week) => week >= 1 && week <= weeks)
    .sort((a, b) => a - b)
    .flatMap((week) => Array.from({ length: 7 }, (_, at) => first + (week - 1) * 7 + at));
}

function span(from: number, to: number): number[] {
  const numbers: number[] = [];
  for (let one = from; one < to; one++) numbers.push(one);
  return numbers;
}

/** All candidate days of a period, before filtering. */
function daysOfPeriod(rule: Rule, period: number): number[] {
  if (rule.freq === 'DAILY') return [period];
  if (rule.freq === 'WEEKLY') {
    // Day 0 was a Thursday.
    const begins = period * 7 + rule.week_start - 4;
    return span(begins, begins + 7);
  }
  if (rule.freq === 'MONTHLY') return daysOfMonth(rule, 0, period + 1);
  if (rule.by_week_no) return daysOfWeeks(rule, period);
  const months = rule.by_month ?? (rule.by_month_day ? all_months : undefined);
  if (months) return months.flatMap((month) => daysOfMonth(rule, period, month));
  return span(dayOf(period, 1, 1), dayOf(period + 1, 1, 1));
}

const all_months = span(1, 13);

/** The days of a month, or those that the rule names. Months may exceed the year. */
function daysOfMonth({ by_month_day }: Rule, year: number, month: number): number[] {
  const [first, next] = [dayOf(year, month, 1), dayOf(year, month + 1, 1)];
  if (!by_month_day) return span(first, next);
  const days = by_month_day.map((one) => (one > 0 ? first + one - 1 : next + one));
  return [...new Set(days)].filter((day) => day >= first && day < next).sort((a, b) => a - b);
}

/** The number of the period that contains a day, for periods of whole days. */
function periodOf(rule: Rule, day_number: number): number {
  if (rule.freq === 'DAILY') return day_number;
  if (rule.freq === 'WEEKLY') return Math.floor((day_number + 4 - rule.week_start) / 7);
  const { year, month } = dateOf(day_number);
  if (rule.freq === 'MONTHLY') return year * 12 + month - 1;
  if (!rule.by_week_no) return year;
  // A week belongs to the year that has most of its days.
  if (day_number < firstWeekOf(year, rule.week_start)) return year - 1;
  return day_number >= firstWeekOf(year + 1, rule.week_start) ? year + 1 : year;
}

/** Completes a rule from the event's start: weekday, day of the month or month. */
function complete(rule: Rule, start_day: number): Rule {
  const { by_day, by_month_day, by_year_day, by_week_no, freq } = rule;
  if (by_day || by_month_day || by_year_day) return rule;
  const { month, day } = dateOf(start_day);
  if (freq === 'WEEKLY' || (freq === 'YEARLY' && by_week_no))
    return { ...rule, by_day: [{ weekday: weekdayOf(start_day), nth: 0 }] };
  if (freq === 'MONTHLY') return { ...rule, by_month_day: [day] };
  if (freq === 'YEARLY') return { ...rule, by_month: rule.by_month ?? [month], by_month_day: [day] };
  return rule;
}

/**
 * The times of some days, in order: all of them, or those at the positions of the rule (BYSETPOS). Positions are
 * computed by arithmetic, since a year of minutes would otherwise be enumerated.
 */
function* pickTimes(days: number[], times: number[], positions: number[] | undefined): Generator<number> {
  const timeAt = (at: number) => (days[Math.floor(at / times.length)] ?? 0) * day_s + (times[at % times.length] ?? 0);
  const size = days.length * times.length;
  if (!positions) {
    for (let at = 0; at < size; at++) yield timeAt(at);
    return;
  }
  const places = positions.map((one) => (one > 0 ? one - 1 : size + one)).filter((at) => at >= 0 && at < size);
  for (const at of [...new Set(places)].sort((a, b) => a - b)) yield timeAt(at);
}

/** For a daily rule, the first matching day outside of excluded months; otherwise the day itself. */
function skipMonths({ freq, interval, by_month }: Rule, day_number: number): number {
  if (freq !== 'DAILY' || !by_month) return day_number;
  const { year, month } = dateOf(day_number);
  const next = all_months.find((one) => by_month.includes(((month + one - 2) % 12) + 1)) ?? 1;
  if (next === 1) return day_number;
  return day_number + Math.ceil((dayOf(year, month + next - 1, 1) - day_number) / interval) * interval;
}

/** Local times by whole days: daily, weekly, monthly, yearly. */
function* walkDays({ rule, start_day, times, from_s, to_s }: Frame, steps: Steps): Generator<number> {
  const first = periodOf(rule, start_day);
  const wanted = periodOf(rule, Math.floor(from_s / day_s)) - 1;
  let period = first + Math.max(0, Math.floor((wanted - first) / rule.interval)) * rule.interval;
  const last = periodOf(rule, Math.min(last_day, Math.floor(to_s / day_s)));
  const from_day = Math.floor(from_s / day_s);
  for (; period <= last; period += rule.interval) {
    period = skipMonths(rule, period);
    const days = daysOfPeriod(rule, period);
    steps.left -= 1 + days.length;
    if (steps.left < 0) return;
    if (rule.by_set_pos) {
      const matching = days.filter((day) => isRuleDay(rule, day));
      for (const local_s of pickTimes(matching, times, rule.by_set_pos)) if (local_s >= from_s) yield local_s;
      continue;
    }
    for (const day of days) {
      // A period of a year may have half a million times before the first wanted one.
      if (day < from_day || !isRuleDay(rule, day)) continue;
      for (const time of times) if (day * day_s + time >= from_s) yield day * day_s + time;
    }
  }
}

/** The first second after `at_s` that its day, hour or minute does not exclude; undefined when none is excluded. */
function skipFrom(rule: Rule, at_s: number): number | undefined {
  const day_number = Math.floor(at_s / day_s);
  if (!isRuleDay(rule, day_number)) return (day_number + 1) * day_s;
  const second = at_s - day_number * day_s;
  const hour = Math.floor(second / 3600);
  if (rule.by_hour && !rule.by_hour.includes(hour)) return day_number * day_s + (hour + 1) * 3600;
  if (rule.freq === 'HOURLY') return undefined;
  const minute = Math.floor(second / 60);
  if (rule.by_minute && !rule.by_minute.includes(minute % 60)) return day_number * day_s + (minute + 1) * 60;
  if (rule.freq === 'SECONDLY' && rule.by_second && !rule.by_second.includes(second % 60)) return at_s + 1;
  return undefined;
}

/** Local times by hours, minutes or seconds. */
function* walkTimes({ rule, from_s, to_s }: Frame, start_s: number, steps: Steps): Generator<number> {
  const unit = unit_s[rule.freq] ?? 1;
  const step_s = unit * rule.interval;
  const base_s = Math.floor(start_s / unit) * unit;
  const align = (at_s: number) => base_s + Math.max(0, Math.ceil((at_s - base_s) / step_s)) * step_s;
  const own_minute = Math.floor(start_s / 60) % 60;
  const own_second = ((start_s % 60) + 60) % 60;
  const minutes = rule.freq === 'HOURLY' ? (rule.by_minute ?? [(own_minute + 60) % 60]) : [0];
  const seconds = rule.freq === 'SECONDLY' ? [0] : (rule.by_second ?? [own_second]);
  const within = timesOf([0], minutes, seconds);
  let at_s = align(from_s - unit);
  const end_s = Math.min((last_day + 1) * day_s, to_s);
  while (at_s < end_s) {
    if (--steps.left < 0) return;
    const skip_s = skipFrom(rule, at_s);
    if (skip_s === undefined) {
      for (const time of pickTimes([0], within, rule.by_set_pos)) if (at_s + time >= from_s) yield at_s + time;
      at_s += step_s;
    } else at_s = Math.max(align(skip_s), at_s + step_s);
  }
}

/**
 * The local times of a rule, in order, from `from_s` on and never before the start. `COUNT` and `UNTIL` are not applied
 * here. It ends at `to_s` (or a period later), at the end of the calendar, or when `steps` are used up.
 * @param start_s the event's start on its wall clock; an occurrence only if it matches the rule
 */
export function followRule(
  given: Rule,
  start_s: number,
  { from_s, to_s }: { from_s: number; to_s: number },
  steps: Steps,
): Generator<number> {
  const start_day = Math.floor(start_s / day_s);
  const rule = complete(given, start_day);
  const second = start_s - start_day * day_s;
  const times = timesOf(
    rule.by_hour ?? [Math.floor(second / 3600)],
    rule.by_minute ?? [Math.floor(second / 60) % 60],
    rule.by_second ?? [second % 60],
  );
  const frame = { rule, start_day, times, from_s: Math.max(start_s, from_s), to_s };
  return unit_s[rule.freq] ? walkTimes(frame, start_s, steps) : walkDays(frame, steps);
}
