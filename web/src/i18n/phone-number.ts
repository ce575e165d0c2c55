/** Telephone numbers as people write them. On the wire they are E.164. */
import { directionOf } from '@asterism/sdk';
import type { Language } from '@asterism/sdk';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { i18n } from './i18n.ts';

/** A number in E.164 grouped as its country does ("+1 415 555 0102"); what is no such number stays as it is. */
export function formatPhone(number: string): string {
  const grouped = number.startsWith('+') ? parsePhoneNumberFromString(number)?.formatInternational() : undefined;
  if (grouped === undefined) return number;
  // Its groups would change places in a line that runs from right to left (Unicode's isolates keep them).
  return directionOf(i18n.locale as Language) === 'rtl' ? `\u2066${grouped}\u2069` : grouped;
}
