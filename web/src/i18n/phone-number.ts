/** Phone numbers as people write them. On the wire they are E.164. */
import { directionOf } from '@asterism/sdk';
import type { Language } from '@asterism/sdk';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { i18n } from './i18n.ts';

/** A number in E.164, grouped as in its country ("+1 415 555 0102"); any other text is returned unchanged. */
export function formatPhone(number: string): string {
  const grouped = number.startsWith('+') ? parsePhoneNumberFromString(number)?.formatInternational() : undefined;
  if (grouped === undefined) return number;
  // In a right-to-left line the groups would change places; Unicode isolates prevent that.
  return directionOf(i18n.locale as Language) === 'rtl' ? `\u2066${grouped}\u2069` : grouped;
}
