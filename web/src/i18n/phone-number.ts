/** Phone numbers as people write them. On the wire they are E.164. */
import { directionOf } from '@asterism/sdk';
import type { Language } from '@asterism/sdk';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { i18n } from './i18n.ts';

/** What may be a phone number: digits, with what people put between them. */
const PHONE = /^\+?[\d\s()./-]{5,}$/;

/** A number that somebody may call, in E.164, and the name of its country. */
export interface ReadPhone {
  readonly number: string;
  readonly country: string;
}

/**
 * The phone number that a text is; undefined for any other text.
 * @param own the reader's number: in their country a number needs no country code
 */
export function readPhone(text: string, own: string | undefined): ReadPhone | undefined {
  if (!PHONE.test(text)) return undefined;
  const read = parsePhoneNumberFromString(
    text,
    own === undefined ? undefined : parsePhoneNumberFromString(own)?.country,
  );
  if (read?.country === undefined || !read.isPossible()) return undefined;
  const country = new Intl.DisplayNames(i18n.locale, { type: 'region' }).of(read.country) ?? read.country;
  return { number: read.number, country };
}

/** A number in E.164, grouped as in its country ("+1 415 555 0102"); any other text is returned unchanged. */
export function formatPhone(number: string): string {
  const grouped = number.startsWith('+') ? parsePhoneNumberFromString(number)?.formatInternational() : undefined;
  if (grouped === undefined) return number;
  // In a right-to-left line the groups would change places; Unicode isolates prevent that.
  return directionOf(i18n.locale as Language) === 'rtl' ? `\u2066${grouped}\u2069` : grouped;
}
