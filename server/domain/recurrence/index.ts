/**
 * Recurrence on the wall clock of a time zone (RFC 5545). Days are walked one after the other and each is asked whether
 * it belongs: that is slower than jumping, but bounded, so that no rule can keep the service busy.
 */
import { readRule, type Rule, type WeekDay } from './rule.ts';
import { momentAt, wallClock } from './zone.ts';

export { RuleError } from './rule.ts';
export { isTimeZone, momentAt, wallClock } from './zone.ts';

/** How many years ahead an occurrence is looked for: leap days come again within eight; what repeats by the hour is walked by the hour. */
const yearsAhead = ({ frequency }: Rule): number => (frequency === 'HOURLY' ? 1 : 9);

const cached = new Map<string, Rule>();
const max_cached = 500;

function ruleOf(text: string): Rule {
  const known = cached.get(text);
  if (known) return known;
  const rule = readRule(text);
  if (cached.size >= max_cached) cached.clear();
  cached.set(text, rule);
  return rule;
}

/**
 * The first occurrence of a rule that is later than `after`.
 * @param rrule without the prefix `RRULE:`
 * @param starts_at from when on it repeats; what does not fit the rule is no occurrence itself
 * @param timezone on whose wall clock: a time that is skipped moves by the gap, of one that comes twice the first counts
 * @returns undefined when there is none, or none for nine years (by the hour: one)
 * @throws RuleError with words for a person, when the rule cannot be understood
 */
export function nextOccurrence(rrule: string, starts_at: Date, timezone: string, after: Date): Date | undefined {
  const rule = ruleOf(rrule);
  const start = wallClock(starts_at, timezone).with({ millisecond: 0, microsecond: 0, nanosecond: 0 });
  // An end in UTC is a moment; one on the wall clock is compared as what the clock says.
  const until =
    rule.until && momentAt(Temporal.PlainDateTime.from(rule.until.text), rule.until.is_utc ? 'UTC' : timezone);
  const from = after > starts_at ? after : starts_at;
  const horizon = wallClock(from, timezone)
    .toPlainDate()
    .add({ years: yearsAhead(rule) });
  let count = 0;
  for (const local of occurrences(rule, start, rule.count === undefined ? wallClock(from, timezone) : start, horizon)) {
    const moment = momentAt(local, timezone);
    if (until && moment > until) return undefined;
    count += 1;
    if (rule.count !== undefined && count > rule.count) return undefined;
    if (moment > after) return moment;
  }
  return undefined;
}

/**
 * Occurrences on the wall clock, in order, from the period in which `from` lies up to a day.
 * @param from where nobody counts, earlier periods need not be walked
 */
function* occurrences(
  rule: Rule,
  start: Temporal.PlainDateTime,
  from: Temporal.PlainDateTime,
  horizon: Temporal.PlainDate,
): Generator<Temporal.PlainDateTime> {
  let period = firstPeriod(rule, start, from);
  while (Temporal.PlainDate.compare(period.toPlainDate(), horizon) <= 0) {
    const times = timesOf(rule, period, start);
    for (const local of pick(times, rule.positions)) if (Temporal.PlainDateTime.compare(local, start) >= 0) yield local;
    period = nextPeriod(rule, period, start);
  }
}

const units = { YEARLY: 'years', MONTHLY: 'months', WEEKLY: 'weeks', DAILY: 'days', HOURLY: 'hours' } as const;

/** The beginning of the period that a time lies in. */
function beginningOf(rule: Rule, local: Temporal.PlainDateTime): Temporal.PlainDateTime {
  const day = local.with({ minute: 0, second: 0 });
  if (rule.frequency === 'HOURLY') return day;
  const midnight = day.with({ hour: 0 });
  if (rule.frequency === 'DAILY') return midnight;
  if (rule.frequency === 'WEEKLY') return midnight.subtract({ days: (midnight.dayOfWeek - rule.week_start + 7) % 7 });
  return midnight.with(rule.frequency === 'MONTHLY' ? { day: 1 } : { month: 1, day: 1 });
}

/** The last period of the rule's own pace that does not begin after `from`. */
function firstPeriod(rule: Rule, start: Temporal.PlainDateTime, from: Temporal.PlainDateTime): Temporal.PlainDateTime {
  const first = beginningOf(rule, start);
  const unit = units[rule.frequency];
  const passed = Math.floor(first.until(beginningOf(rule, from), { largestUnit: unit })[unit] / rule.interval);
  // One earlier, since what a gap has moved may lie a little behind its own period.
  return first.add({ [unit]: Math.max(0, passed - 1) * rule.interval });
}

function nextPeriod(rule: Rule, period: Temporal.PlainDateTime, start: Temporal.PlainDateTime): Temporal.PlainDateTime {
  const next = period.add({ [units[rule.frequency]]: rule.interval });
  if (rule.frequency !== 'HOURLY') return next;
  // Days on which nothing is to be found are passed over as a whole, on the rule's own pace.
  if (isOfDay(rule, next.toPlainDate(), start)) return next;
  const hours = Math.max(1, Math.ceil((24 - next.hour) / rule.interval));
  return next.add({ hours: hours * rule.interval });
}

/** All times of one period, in order. */
function timesOf(rule: Rule, period: Temporal.PlainDateTime, start: Temporal.PlainDateTime): Temporal.PlainDateTime[] {
  const minutes = rule.minutes.length > 0 ? rule.minutes.toSorted((a, b) => a - b) : [start.minute];
  const by_hour = rule.hours.length > 0 ? rule.hours.toSorted((a, b) => a - b) : undefined;
  if (rule.frequency === 'HOURLY') {
    if (!isOfDay(rule, period.toPlainDate(), start) || (by_hour && !by_hour.includes(period.hour))) return [];
    return minutes.map((minute) => period.with({ minute, second: start.second }));
  }
  const hours = by_hour ?? [start.hour];
  const times: Temporal.PlainDateTime[] = [];
  const end = period.add({ [units[rule.frequency]]: 1 });
  for (
    let day = period.toPlainDate();
    Temporal.PlainDate.compare(day, end.toPlainDate()) < 0;
    day = day.add({ days: 1 })
  )
    if (isOfDay(rule, day, start))
      for (const hour of hours)
        for (const minute of minutes) times.push(day.toPlainDateTime({ hour, minute, second: start.second }));
  return times;
}

/** Those at some places of a period, from its end when negative; all without places. */
function pick<T>(times: T[], positions: number[]): T[] {
  if (positions.length === 0) return times;
  const at = new Set(positions.map((position) => (position > 0 ? position - 1 : times.length + position)));
  return times.filter((_time, index) => at.has(index));
}

/** Whether a day of a period belongs to a rule. */
function isOfDay(rule: Rule, day: Temporal.PlainDate, start: Temporal.PlainDateTime): boolean {
  const { months, month_days, year_days, week_numbers, week_days, frequency } = rule;
  if (months.length > 0 && !months.includes(day.month)) return false;
  if (month_days.length > 0 && !holds(month_days, day.day, day.daysInMonth)) return false;
  if (year_days.length > 0 && !holds(year_days, day.dayOfYear, day.daysInYear)) return false;
  if (week_numbers.length > 0 && !isInWeek(rule, day)) return false;
  if (week_days.length > 0) return week_days.some((one) => isWeekDay(one, day, rule));
  return isImplied(frequency, rule, day, start);
}

/** What a rule leaves out follows from its start. */
function isImplied(
  frequency: Rule['frequency'],
  { months, month_days, year_days, week_numbers }: Rule,
  day: Temporal.PlainDate,
  start: Temporal.PlainDateTime,
): boolean {
  if (frequency === 'WEEKLY') return day.dayOfWeek === start.dayOfWeek;
  const is_told = month_days.length > 0 || year_days.length > 0;
  if (frequency === 'MONTHLY') return is_told || day.day === start.day;
  if (frequency !== 'YEARLY') return true;
  if (week_numbers.length > 0) return is_told || day.dayOfWeek === start.dayOfWeek;
  if (is_told) return true;
  return day.day === start.day && (months.length > 0 || day.month === start.month);
}

const holds = (wanted: number[], value: number, size: number): boolean =>
  wanted.includes(value) || wanted.includes(value - size - 1);

function isWeekDay({ day: week_day, nth }: WeekDay, day: Temporal.PlainDate, rule: Rule): boolean {
  if (day.dayOfWeek !== week_day) return false;
  if (nth === undefined) return true;
  const in_month = rule.frequency === 'MONTHLY' || rule.months.length > 0;
  const [place, size] = in_month ? [day.day, day.daysInMonth] : [day.dayOfYear, day.daysInYear];
  return nth > 0 ? Math.ceil(place / 7) === nth : Math.ceil((size - place + 1) / 7) === -nth;
}

/** Whether a day lies in one of some weeks of its year; the first has at least four days of it. */
function isInWeek({ week_numbers, week_start }: Rule, day: Temporal.PlainDate): boolean {
  const begin = day.subtract({ days: (day.dayOfWeek - week_start + 7) % 7 });
  // The week belongs to the year in which its fourth day lies.
  const year = begin.add({ days: 3 }).year;
  if (year !== day.year) return false;
  const firstWeek = (of: number) => {
    const fourth = Temporal.PlainDate.from({ year: of, month: 1, day: 4 });
    return fourth.subtract({ days: (fourth.dayOfWeek - week_start + 7) % 7 });
  };
  const first = firstWeek(year);
  const number = begin.since(first, { largestUnit: 'days' }).days / 7 + 1;
  const size = firstWeek(year + 1).since(first, { largestUnit: 'days' }).days / 7;
  return holds(week_numbers, number, size);
}
