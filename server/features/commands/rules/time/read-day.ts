/** Parses days: tomorrow, next Friday, 25 December, in two weeks, every weekday. */
import type { Read } from './read-clock.ts';
import { monthDayOf, monthOf, numberOf, unitOf, weekDayOf, type Unit } from './time-words.ts';

/** A day, in the way in which it was expressed. */
export type DayPhrase =
  | { kind: 'in_days'; days: number }
  | { kind: 'week_day'; day: number; is_next: boolean }
  | { kind: 'next'; unit: 'weeks' | 'months' | 'years' }
  | { kind: 'month_day'; day: number; month: number | undefined; year: number | undefined };

/** A duration; half an hour is a fraction of its unit. */
export type Duration = Partial<Record<Unit, number>>;

/** A day at the beginning of some words. */
export function readDay(words: readonly string[]): Read<DayPhrase> | undefined {
  const [first = '', second = '', third = ''] = words;
  if (first === 'today') return { value: { kind: 'in_days', days: 0 }, taken: 1 };
  if (first === 'later' && second === 'today') return { value: { kind: 'in_days', days: 0 }, taken: 2 };
  if (['tomorrow', 'tmrw', 'tmw'].includes(first)) return { value: { kind: 'in_days', days: 1 }, taken: 1 };
  if (first === 'day' && second === 'after' && third === 'tomorrow')
    return { value: { kind: 'in_days', days: 2 }, taken: 3 };
  if (first === 'next' && ['week', 'month', 'year'].includes(second))
    return { value: { kind: 'next', unit: `${second}s` as 'weeks' }, taken: 2 };
  const has_this = ['next', 'this', 'coming'].includes(first);
  const day = weekDayOf(has_this ? second : first);
  if (day !== undefined) {
    const is_next = first === 'next' || (!has_this && second === 'next' && third === 'week');
    return { value: { kind: 'week_day', day, is_next }, taken: !has_this && is_next ? 3 : has_this ? 2 : 1 };
  }
  return readIsoDate(first) ?? readMonthDay(words);
}

function readIsoDate(word: string): Read<DayPhrase> | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(word) ?? [];
  if (year === undefined) return undefined;
  const value = { kind: 'month_day' as const, year: Number(year), month: Number(month), day: Number(day) };
  return isDate(value.year, value.month, value.day) ? { value, taken: 1 } : undefined;
}

function readMonthDay(words: readonly string[]): Read<DayPhrase> | undefined {
  const [first = '', second = ''] = words;
  const day_first = monthDayOf(first);
  if (day_first !== undefined) {
    const gap = second === 'of' ? 2 : 1;
    const month = monthOf(words[gap]);
    // "the 15th" alone is in this or the next month.
    if (month === undefined) return /\D$/.test(first) ? dayOf(day_first, undefined, undefined, 1) : undefined;
    return withYear(day_first, month, words, gap + 1);
  }
  const month = monthOf(first);
  const day = monthDayOf(second);
  return month !== undefined && day !== undefined ? withYear(day, month, words, 2) : undefined;
}

function withYear(day: number, month: number, words: readonly string[], taken: number): Read<DayPhrase> | undefined {
  // "December 25, 2027"
  const at = words[taken] === ',' ? taken + 1 : taken;
  const year = /^20\d\d$/.test(words[at] ?? '') ? Number(words[at]) : undefined;
  return dayOf(day, month, year, year === undefined ? taken : at + 1);
}

function dayOf(day: number, month: number | undefined, year: number | undefined, taken: number) {
  // A leap day without a year is in the next leap year.
  const is_date = month === undefined || isDate(year ?? 2028, month, day);
  return is_date ? { value: { kind: 'month_day' as const, day, month, year }, taken } : undefined;
}

function isDate(year: number, month: number, day: number): boolean {
  const last = month >= 1 && month <= 12 ? Temporal.PlainYearMonth.from({ year, month }).daysInMonth : 0;
  return day >= 1 && day <= last;
}

/** A duration at the beginning of some words: 2 hours, an hour and a half, 1h30m. */
export function readDuration(words: readonly string[]): Read<Duration> | undefined {
  const [, hours, minutes] = /^(\d{1,3})h(\d{1,2})m?$/.exec(words[0] ?? '') ?? [];
  if (hours !== undefined) return { value: { hours: Number(hours), minutes: Number(minutes) }, taken: 1 };
  const value: Duration = {};
  let taken = 0;
  for (;;) {
    const one = readPart(words.slice(taken));
    if (!one || value[one.unit] !== undefined) break;
    value[one.unit] = one.count;
    taken += one.taken;
    if (words[taken] === 'and' && words[taken + 1] === 'a' && words[taken + 2] === 'half') {
      value[one.unit] = one.count + 0.5;
      taken += 3;
    } else if ((words[taken] === 'and' || words[taken] === ',') && readPart(words.slice(taken + 1))) taken += 1;
  }
  const has_odd_half = (['months', 'years'] as const).some((unit) => !Number.isInteger(value[unit] ?? 0));
  return taken > 0 && !has_odd_half ? { value, taken } : undefined;
}

function readPart(words: readonly string[]): { unit: Unit; count: number; taken: number } | undefined {
  const [first = '', second, third] = words;
  const [, digits, glued] = /^(\d{1,4}(?:\.5)?)([a-z]+)$/.exec(first) ?? [];
  const glued_unit = unitOf(glued);
  if (digits && glued_unit) return { unit: glued_unit, count: Number(digits), taken: 1 };
  if (first === 'half' && (second === 'an' || second === 'a')) {
    const unit = unitOf(third);
    return unit && { unit, count: 0.5, taken: 3 };
  }
  if (first === 'a' && (second === 'couple' || second === 'few')) {
    const gap = third === 'of' ? 3 : 2;
    const unit = unitOf(words[gap]);
    return unit && { unit, count: second === 'couple' ? 2 : 3, taken: gap + 1 };
  }
  const count = /^\d{1,4}\.5$/.test(first) ? Number(first) : numberOf(first);
  if (count !== undefined && words.slice(1, 4).join(' ') === 'and a half') {
    const unit = unitOf(words[4]);
    return unit && { unit, count: count + 0.5, taken: 5 };
  }
  const unit = unitOf(second);
  return count !== undefined && count > 0 && unit ? { unit, count, taken: 2 } : undefined;
}

/** A recurrence: `FREQ` and its parts, and its weekdays. */
export type Repetition = { rule: string; days: number[] };

const codes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const onDays = (days: number[]): Repetition => ({
  rule: `FREQ=WEEKLY;BYDAY=${days.map((day) => codes[day - 1]).join(',')}`,
  days,
});
const frequencies = { hours: 'HOURLY', days: 'DAILY', weeks: 'WEEKLY', months: 'MONTHLY', years: 'YEARLY' } as const;
const single_words: Record<string, Repetition> = {
  hourly: { rule: 'FREQ=HOURLY', days: [] },
  daily: { rule: 'FREQ=DAILY', days: [] },
  weekly: { rule: 'FREQ=WEEKLY', days: [] },
  monthly: { rule: 'FREQ=MONTHLY', days: [] },
  yearly: { rule: 'FREQ=YEARLY', days: [] },
  weekdays: onDays([1, 2, 3, 4, 5]),
  weekends: onDays([6, 7]),
};

/** A recurrence at the beginning of some words: every day, every other week, every Monday and Thursday, weekdays. */
export function readRepetition(words: readonly string[]): Read<Repetition> | undefined {
  const [first = '', second = '', third = ''] = words;
  if (Object.hasOwn(single_words, first)) return { value: single_words[first] as Repetition, taken: 1 };
  if (first !== 'every' && first !== 'each') return undefined;
  if (second === 'weekday') return { value: onDays([1, 2, 3, 4, 5]), taken: 2 };
  if (second === 'weekend') return { value: onDays([6, 7]), taken: 2 };
  // The part of the day is left for the time.
  if (['morning', 'afternoon', 'evening', 'night'].includes(second))
    return { value: { rule: 'FREQ=DAILY', days: [] }, taken: 1 };
  const days: number[] = [];
  let at = 1;
  for (let day = weekDayOf(words[at]); day !== undefined; day = weekDayOf(words[at])) {
    days.push(day);
    at += 1;
    const is_followed = ['and', ','].includes(words[at] ?? '') && weekDayOf(words[at + 1]) !== undefined;
    if (is_followed) at += 1;
  }
  if (days.length > 0) return { value: onDays([...new Set(days)].toSorted((a, b) => a - b)), taken: at };
  const count = second === 'other' ? 2 : numberOf(second);
  const unit = unitOf(count === undefined ? second : third);
  if (!unit || unit === 'minutes' || count === 0) return undefined;
  const interval = count !== undefined && count > 1 ? `;INTERVAL=${count}` : '';
  return { value: { rule: `FREQ=${frequencies[unit]}${interval}`, days: [] }, taken: count === undefined ? 2 : 3 };
}
