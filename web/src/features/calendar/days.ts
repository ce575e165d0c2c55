/** Calendar days as `YYYY-MM-DD`, which sort and compare as text. */
import { localZone, wallTimeAt } from './zones.ts';
import { i18n } from '../../i18n/i18n.ts';
import { languageOf } from '@asterism/sdk';
import { locale } from '../../i18n/locale.ts';
import { formatDate } from '../../i18n/format.ts';

const asUtc = (day: string): Date => new Date(`${day}T00:00:00Z`);
const toDay = (moment: Date): string => moment.toISOString().slice(0, 10);

/** The current day on this device. */
export const today = (): string => wallTimeAt(Date.now(), localZone()).date;

/** Whether a text is an existing date. */
export function isDay(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(asUtc(text).getTime()) &&
    toDay(asUtc(text)) === text
  );
}

/** A number of days later, or earlier. */
export function addDays(day: string, count: number): string {
  const moved = asUtc(day);
  moved.setUTCDate(moved.getUTCDate() + count);
  return toDay(moved);
}

/** The same day a number of months later; the last of the month where that is shorter. */
export function addMonths(day: string, count: number): string {
  const first = asUtc(`${day.slice(0, 7)}-01`);
  first.setUTCMonth(first.getUTCMonth() + count);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(Number(day.slice(8)), last));
  return toDay(first);
}

/** The number of days between two. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((asUtc(to).getTime() - asUtc(from).getTime()) / 86_400_000);

/** The weekday, 0 for Sunday. */
export const weekdayOf = (day: string): number => asUtc(day).getUTCDay();

/** The first weekday in the reader's region, 0 for Sunday. */
export function firstWeekday(): number {
  // The browser's language usually includes a region, as long as its language is the selected one.
  const here = languageOf(navigator.language) === i18n.locale ? navigator.language : (locale() ?? navigator.language);
  const reader = new Intl.Locale(here) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return ((reader.getWeekInfo?.() ?? reader.weekInfo)?.firstDay ?? 1) % 7;
}

/** The first day of the week that contains a day. */
export const weekStart = (day: string, first = firstWeekday()): string =>
  addDays(day, -((weekdayOf(day) - first + 7) % 7));

/** The seven days of a week. */
export const daysOfWeek = (day: string): string[] =>
  Array.from({ length: 7 }, (_, index) => addDays(weekStart(day), index));

/** The weeks that overlap a month, each with its seven days. */
export function weeksOfMonth(day: string): string[][] {
  const first = `${day.slice(0, 7)}-01`;
  const next = addMonths(first, 1);
  const weeks: string[][] = [];
  for (let at = weekStart(first); at < next; at = addDays(at, 7)) weeks.push(daysOfWeek(at));
  return weeks;
}

/** A formatted day, independent of the device's time zone. */
export function describeDay(day: string, options: Intl.DateTimeFormatOptions): string {
  return formatDate(asUtc(day), { ...options, timeZone: 'UTC' });
}

/** "Today, Tuesday 14 October", and the like. */
export function describeFullDay(day: string): string {
  const options: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' };
  if (day.slice(0, 4) !== today().slice(0, 4)) options.year = 'numeric';
  const words = describeDay(day, options);
  const away = daysBetween(today(), day);
  if (away === 0) return i18n.t('Today, {words}', { words });
  if (away === 1) return i18n.t('Tomorrow, {words}', { words });
  return words;
}
