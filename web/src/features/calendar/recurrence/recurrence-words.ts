/** Recurrence rules (RFC 5545) in words: "Every second Tuesday until 3 March". */
import { describeDay } from '../days.ts';

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
const WORKDAYS = 'FR,MO,TH,TU,WE';
const UNITS: Readonly<Record<string, string>> = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};
/** Parts that a short sentence has words for; a rule with another one is told by its pace alone. */
const TOLD = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'WKST'];
const NUMBERS = ['zeroth', 'first', 'second', 'third', 'fourth', 'fifth'];

/** The parts of a rule by their names. */
export function readParts(rule: string): Map<string, string> {
  return new Map(
    rule
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2) as [string, string]),
  );
}

/** The two letters of a weekday, 0 for Sunday. */
export const codeOfWeekday = (weekday: number): Weekday => WEEKDAYS[weekday] ?? 'SU';

/** "Tuesday" for TU. */
export function nameOfWeekday(code: string, style: 'long' | 'short' | 'narrow' = 'long'): string {
  // The second of January 2000 was a Sunday.
  const day = 2 + WEEKDAYS.indexOf(code as Weekday);
  return describeDay(`2000-01-0${day}`, { weekday: style });
}

const nameOfMonth = (month: string): string => describeDay(`2000-${month.padStart(2, '0')}-01`, { month: 'long' });
const joinWords = (words: readonly string[]): string =>
  new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }).format(words);

function ordinal(nth: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd' }[
    new Intl.PluralRules('en', { type: 'ordinal' }).select(nth) as 'one'
  ];
  return `${nth}${ending ?? 'th'}`;
}

function nthInWords(nth: number): string {
  if (nth === -1) return 'last';
  return nth < 0 ? `${NUMBERS[-nth] ?? ordinal(-nth)} to last` : (NUMBERS[nth] ?? ordinal(nth));
}

/** "every second week", from a unit and how many of them. */
function everyWords(interval: number, unit: string): string {
  if (interval === 1) return `Every ${unit}`;
  return interval === 2 ? `Every second ${unit}` : `Every ${interval} ${unit}s`;
}

function weeklyWords(days: readonly string[], interval: number): string {
  if ([...days].sort().join(',') === WORKDAYS && interval === 1) return 'Every weekday';
  if (days.length === 7 && interval === 1) return 'Every day';
  const order = [...days].sort((a, b) => placeOf(a) - placeOf(b));
  const names = joinWords(order.map((day) => nameOfWeekday(day)));
  if (interval === 1) return `Every ${names}`;
  return interval === 2 && days.length === 1 ? `Every second ${names}` : `${everyWords(interval, 'week')} on ${names}`;
}

/** Monday comes first in a sentence. */
const placeOf = (code: string): number => (WEEKDAYS.indexOf(code as Weekday) + 6) % 7;

function numberedDays(by_day: string, position: string | undefined): string {
  const days = by_day.split(',');
  if (position !== undefined && [...days].sort().join(',') === WORKDAYS)
    return `the ${nthInWords(Number(position))} weekday`;
  const words = days.map((day) => {
    const [, nth = position, code = ''] = /^([+-]?\d+)?([A-Z]{2})$/.exec(day) ?? [];
    return nth === undefined ? `every ${nameOfWeekday(code)}` : `the ${nthInWords(Number(nth))} ${nameOfWeekday(code)}`;
  });
  return joinWords(words);
}

const monthDays = (text: string): string =>
  `the ${joinWords(text.split(',').map((day) => (Number(day) < 0 ? `${nthInWords(Number(day))} day` : ordinal(Number(day)))))}`;

function onWords(parts: ReadonlyMap<string, string>): string {
  const [days, month_days, months] = [parts.get('BYDAY'), parts.get('BYMONTHDAY'), parts.get('BYMONTH')];
  const on = days ? numberedDays(days, parts.get('BYSETPOS')) : month_days ? monthDays(month_days) : '';
  const in_months = months ? joinWords(months.split(',').map(nameOfMonth)) : '';
  if (on !== '' && in_months !== '') return ` on ${on} of ${in_months}`;
  if (in_months !== '') return ` in ${in_months}`;
  return on === '' ? '' : ` on ${on}`;
}

function endWords(parts: ReadonlyMap<string, string>, this_year: string): string {
  const count = Number(parts.get('COUNT') ?? 0);
  if (count > 0) return count === 1 ? ', once' : `, ${count} times`;
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(parts.get('UNTIL') ?? '') ?? [];
  if (!year) return '';
  const words: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long' };
  if (year !== this_year) words.year = 'numeric';
  return ` until ${describeDay(`${year}-${month}-${day}`, words)}`;
}

/**
 * A rule as a person would say it.
 * @param rule without the prefix `RRULE:`
 * @param this_year dates of this year are told without it
 */
export function describeRule(rule: string, this_year = String(new Date().getFullYear())): string {
  const parts = readParts(rule);
  const frequency = parts.get('FREQ') ?? '';
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const every = everyWords(interval, UNITS[frequency] ?? 'time');
  const end = endWords(parts, this_year);
  if ([...parts.keys()].some((name) => !TOLD.includes(name))) return `${every}, by a rule of its own${end}`;
  const days = parts.get('BYDAY');
  if (days && (frequency === 'WEEKLY' || frequency === 'DAILY') && !/\d/.test(days))
    return weeklyWords(days.split(','), interval) + end;
  return `${every}${onWords(parts)}${end}`;
}
