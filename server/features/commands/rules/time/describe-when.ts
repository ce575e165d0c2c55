/** Describes times and recurrences, in the caller's language. */
import type { I18n } from '../../../../kernel/language/i18n.ts';
import { wallClock } from './wall-clock.ts';

/** The locale for days and lists: in English, the day precedes the month. */
export const dateLocaleOf = ({ locale, locales }: I18n): string =>
  locale === 'en' ? 'en-GB' : String(locales ?? locale);

/** An instant with its zone: Friday, 27 November 2026 at 17:00 (Europe/Vienna). */
export function describeMoment(i18n: I18n, at: Date, timezone: string): string {
  const local = wallClock(at, timezone);
  const written = local.toLocaleString(dateLocaleOf(i18n), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  // Versions of the Unicode locale data differ in this comma.
  const day = i18n.locale === 'en' ? written.replace(/^(\w+) /, '$1, ') : written;
  const two = (value: number) => String(value).padStart(2, '0');
  return i18n.t('{day} at {time} ({zone})', {
    day,
    time: `${two(local.hour)}:${two(local.minute)}`,
    zone: timezone,
  });
}

const codes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const workdays = 'MO,TU,WE,TH,FR';

function nameDays(i18n: I18n, by_day: string): string {
  const locale = dateLocaleOf(i18n);
  const { format } = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  // The first of January 2024 was a Monday.
  const names = by_day.split(',').map((code) => format(Date.UTC(2024, 0, 1 + codes.indexOf(code))));
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(names);
}

/**
 * A recurrence rule in words, as far as commands create them: "Every Monday and Thursday", "Every 3 days".
 * @param rule what `readRepetition` returns
 */
export function describeRule(i18n: I18n, rule: string): string {
  const parts = new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string]));
  const by_day = parts.get('BYDAY');
  if (by_day === workdays) return i18n.t('Every weekday');
  if (by_day !== undefined) return i18n.t('Every {days}', { days: nameDays(i18n, by_day) });
  const values = { interval: Number(parts.get('INTERVAL') ?? 1) };
  switch (parts.get('FREQ')) {
    case 'HOURLY':
      return i18n.t('{interval, plural, =1 {Every hour} =2 {Every second hour} other {Every # hours}}', values);
    case 'WEEKLY':
      return i18n.t('{interval, plural, =1 {Every week} =2 {Every second week} other {Every # weeks}}', values);
    case 'MONTHLY':
      return i18n.t('{interval, plural, =1 {Every month} =2 {Every second month} other {Every # months}}', values);
    case 'YEARLY':
      return i18n.t('{interval, plural, =1 {Every year} =2 {Every second year} other {Every # years}}', values);
    default:
      return i18n.t('{interval, plural, =1 {Every day} =2 {Every second day} other {Every # days}}', values);
  }
}
