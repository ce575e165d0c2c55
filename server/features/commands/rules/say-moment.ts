/** Moments in words, in the language of whoever is answered. */
import type { I18n } from '../../../kernel/language/i18n.ts';
import { wallClock } from './wall-clock.ts';

/** The locale by which days and lists are written: in English the day stands before the month. */
export const britishOf = ({ locale, locales }: I18n): string => (locale === 'en' ? 'en-GB' : String(locales ?? locale));

/** A moment with its zone: Friday, 27 November 2026 at 17:00 (Europe/Vienna). */
export function sayMoment(i18n: I18n, at: Date, timezone: string): string {
  const local = wallClock(at, timezone);
  const written = local.toLocaleString(britishOf(i18n), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  // As newer data of languages have it.
  const day = i18n.locale === 'en' ? written.replace(/^(\w+) /, '$1, ') : written;
  const two = (value: number) => String(value).padStart(2, '0');
  return i18n.t('{day} at {time} ({zone})', {
    day,
    time: `${two(local.hour)}:${two(local.minute)}`,
    zone: timezone,
  });
}
