import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';
import { dateFormatter } from '../../i18n/format.ts';

/** Birthdays in the format of RFC 6350: `1990-03-12`, or `--03-12` when the year is unknown. */

/** A birthday as its fields have it, as text. */
export interface DayOfBirth {
  readonly day: string;
  readonly month: string;
  /** Empty when it is unknown. */
  readonly year: string;
}

/** The parts of a birthday, without leading zeros; all empty when there is none. */
export function partsOf(birthday: string | null): DayOfBirth {
  const [, year = '', month = '', day = ''] = /^(\d{4}|-)-(\d\d)-(\d\d)$/.exec(birthday ?? '') ?? [];
  const plain = (part: string) => part.replace(/^0/, '');
  return { day: plain(day), month: plain(month), year: year === '-' ? '' : year };
}

/** A birthday from its parts, whether the date exists or not; null when neither day nor month is known. */
export function joinParts({ day, month, year }: DayOfBirth): string | null {
  if (day === '' && month === '') return null;
  const two = (part: string) => part.padStart(2, '0');
  return `${year === '' ? '-' : year.padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** In English, birthdays are day first in every region. */
const birthdayLocale = () => (i18n.locale === 'en' ? 'en-GB' : locale());

/** A birthday as text, with the age when the year is known. @param today the day on which it is shown */
export function describeBirthday(birthday: string, today: Date): string {
  const { day, month, year } = partsOf(birthday);
  // Without a year, a leap year, in which every day exists.
  const date = new Date(Date.UTC(year === '' ? 2000 : Number(year), Number(month) - 1, Number(day)));
  const words = dateFormatter(
    { day: 'numeric', month: 'long', timeZone: 'UTC', year: year === '' ? undefined : 'numeric' },
    birthdayLocale(),
  ).format(date);
  if (year === '') return words;
  const is_before =
    [today.getMonth() + 1 - Number(month), today.getDate() - Number(day)].find((step) => step !== 0) ?? 0;
  const age = today.getFullYear() - Number(year) - (is_before < 0 ? 1 : 0);
  return age < 0 ? words : `${words} · ${i18n.t('{age, plural, one {# year} other {# years}}', { age })}`;
}
