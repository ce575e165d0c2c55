import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';

/** Days of birth as RFC 6350 writes them: `1990-03-12`, or `--03-12` where the year is not known. */

export interface DayOfBirth {
  readonly day: string;
  readonly month: string;
  /** Empty where it is not known. */
  readonly year: string;
}

/** The parts of a day of birth, without the zeros before them; all empty where there is none. */
export function partsOf(birthday: string | null): DayOfBirth {
  const [, year = '', month = '', day = ''] = /^(\d{4}|-)-(\d\d)-(\d\d)$/.exec(birthday ?? '') ?? [];
  const plain = (part: string) => part.replace(/^0/, '');
  return { day: plain(day), month: plain(month), year: year === '-' ? '' : year };
}

/** A day of birth of its parts, whether it exists or not; null where neither day nor month is known. */
export function joinParts({ day, month, year }: DayOfBirth): string | null {
  if (day === '' && month === '') return null;
  const two = (part: string) => part.padStart(2, '0');
  return `${year === '' ? '-' : year.padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** Days of birth stand day first in English, wherever it is spoken. */
const birthdayLocale = () => (i18n.locale === 'en' ? 'en-GB' : locale());

/** A day of birth in words, with how old that is where the year is known. @param today the day on which it is read */
export function describeBirthday(birthday: string, today: Date): string {
  const { day, month, year } = partsOf(birthday);
  // Of the years in which each day is, where the year is not known.
  const date = new Date(Date.UTC(year === '' ? 2000 : Number(year), Number(month) - 1, Number(day)));
  const words = date.toLocaleDateString(birthdayLocale(), {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
    ...(year === '' ? {} : { year: 'numeric' }),
  });
  if (year === '') return words;
  const is_before =
    [today.getMonth() + 1 - Number(month), today.getDate() - Number(day)].find((step) => step !== 0) ?? 0;
  const age = today.getFullYear() - Number(year) - (is_before < 0 ? 1 : 0);
  return age < 0 ? words : `${words} · ${i18n.t('{age, plural, one {# year} other {# years}}', { age })}`;
}
