/** Describes recurrence rules (RFC 5545): "Every second Tuesday until 3 March". */
import { describeDay } from '../days.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { listNames } from '../../../i18n/list-names.ts';

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
const WORKDAYS = 'FR,MO,TH,TU,WE';
/** The rule parts that a short sentence can describe; a rule with others is described by its frequency only. */
const DESCRIBED_PARTS = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'WKST'];
/** The parts of a rule by name. */
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

/** "Every second week", from a frequency and an interval. */
function intervalText(frequency: string, interval: number): string {
  const values = { interval };
  switch (frequency) {
    case 'SECONDLY':
      return i18n.t('{interval, plural, =1 {Every second} =2 {Every second second} other {Every # seconds}}', values);
    case 'MINUTELY':
      return i18n.t('{interval, plural, =1 {Every minute} =2 {Every second minute} other {Every # minutes}}', values);
    case 'HOURLY':
      return i18n.t('{interval, plural, =1 {Every hour} =2 {Every second hour} other {Every # hours}}', values);
    case 'DAILY':
      return i18n.t('{interval, plural, =1 {Every day} =2 {Every second day} other {Every # days}}', values);
    case 'WEEKLY':
      return i18n.t('{interval, plural, =1 {Every week} =2 {Every second week} other {Every # weeks}}', values);
    case 'MONTHLY':
      return i18n.t('{interval, plural, =1 {Every month} =2 {Every second month} other {Every # months}}', values);
    case 'YEARLY':
      return i18n.t('{interval, plural, =1 {Every year} =2 {Every second year} other {Every # years}}', values);
    default:
      return i18n.t('{interval, plural, =1 {Every time} =2 {Every second time} other {Every # times}}', values);
  }
}

function weeklyText(codes: readonly string[], interval: number): string {
  if ([...codes].sort().join(',') === WORKDAYS && interval === 1) return i18n.t('Every weekday');
  if (codes.length === 7 && interval === 1) return intervalText('DAILY', 1);
  const order = [...codes].sort((a, b) => placeOf(a) - placeOf(b));
  const days = listNames(order.map((day) => nameOfWeekday(day)));
  if (interval === 1) return i18n.t('Every {days}', { days });
  if (interval === 2 && codes.length === 1) return i18n.t('Every second {day}', { day: days });
  return i18n.t('{every} on {days}', { every: intervalText('WEEKLY', interval), days });
}

/** The position of a weekday in a sentence, Monday first. */
const placeOf = (code: string): number => (WEEKDAYS.indexOf(code as Weekday) + 6) % 7;

/** "the second to last Tuesday". @param day a weekday, or the word for a working day */
function nthDay(nth: number, day: string): string {
  const values = { place: nth < 0 ? `last${-nth}` : `first${nth}`, nth: ordinal(Math.abs(nth)), day };
  if (nth < 0)
    return i18n.t(
      '{place, select, last1 {the last {day}} last2 {the second to last {day}} last3 {the third to last {day}} other {the {nth} to last {day}}}',
      values,
    );
  return i18n.t(
    '{place, select, first1 {the first {day}} first2 {the second {day}} first3 {the third {day}} first4 {the fourth {day}} first5 {the fifth {day}} other {the {nth} {day}}}',
    values,
  );
}

const ordinal = (nth: number): string =>
  i18n.t('{nth, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { nth });

function numberedDays(by_day: string, position: string | undefined): string {
  const days = by_day.split(',');
  if (position !== undefined && [...days].sort().join(',') === WORKDAYS)
    return nthDay(Number(position), i18n.t('weekday'));
  const words = days.map((one) => {
    const [, nth = position, code = ''] = /^([+-]?\d+)?([A-Z]{2})$/.exec(one) ?? [];
    const day = nameOfWeekday(code);
    return nth === undefined ? i18n.t('every {day}', { day }) : nthDay(Number(nth), day);
  });
  return listNames(words);
}

function monthDays(text: string): string {
  const days = text.split(',').map(Number);
  const [only] = days;
  if (days.length === 1 && only !== undefined && only < 0) return nthDay(only, i18n.t('day'));
  const lastDay = (nth: number) =>
    nth === -1 ? i18n.t('last day') : i18n.t('{nth} to last day', { nth: ordinal(-nth) });
  return i18n.t('the {days}', { days: listNames(days.map((nth) => (nth < 0 ? lastDay(nth) : ordinal(nth)))) });
}

/** Adds the days and months of a rule to its frequency. */
function withDays(every: string, parts: ReadonlyMap<string, string>): string {
  const [by_day, month_days, by_month] = [parts.get('BYDAY'), parts.get('BYMONTHDAY'), parts.get('BYMONTH')];
  const days = by_day ? numberedDays(by_day, parts.get('BYSETPOS')) : month_days ? monthDays(month_days) : '';
  const months = by_month ? listNames(by_month.split(',').map(nameOfMonth)) : '';
  if (days !== '' && months !== '') return i18n.t('{every} on {days} of {months}', { every, days, months });
  if (months !== '') return i18n.t('{every} in {months}', { every, months });
  return days === '' ? every : i18n.t('{every} on {days}', { every, days });
}

/** Adds the end of a rule to its description. */
function withEnd(rule: string, parts: ReadonlyMap<string, string>, this_year: string): string {
  const count = Number(parts.get('COUNT') ?? 0);
  if (count > 0) return i18n.t('{count, plural, =1 {{rule}, once} other {{rule}, # times}}', { rule, count });
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(parts.get('UNTIL') ?? '') ?? [];
  if (!year) return rule;
  const words: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long' };
  if (year !== this_year) words.year = 'numeric';
  return i18n.t('{rule} until {day}', { rule, day: describeDay(`${year}-${month}-${day}`, words) });
}

/**
 * Describes a rule in words.
 * @param rule without the prefix `RRULE:`
 * @param this_year the year that is omitted in dates
 */
export function describeRule(rule: string, this_year = String(new Date().getFullYear())): string {
  const parts = readParts(rule);
  const frequency = parts.get('FREQ') ?? '';
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const every = intervalText(frequency, interval);
  if ([...parts.keys()].some((name) => !DESCRIBED_PARTS.includes(name)))
    return withEnd(i18n.t('{every}, by a custom rule', { every }), parts, this_year);
  const days = parts.get('BYDAY');
  const is_plain = days && (frequency === 'WEEKLY' || frequency === 'DAILY') && !/\d/.test(days);
  return withEnd(is_plain ? weeklyText(days.split(','), interval) : withDays(every, parts), parts, this_year);
}
