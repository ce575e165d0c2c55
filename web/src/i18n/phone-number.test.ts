/** How the client formats phone numbers. */
import { afterEach, expect, it } from 'vitest';
import { i18n } from './i18n.ts';
import { formatPhone } from './phone-number.ts';

const useLocale = (locale: string) => i18n.loadAndActivate({ locale, messages: {} });
afterEach(() => useLocale('en'));

it('formatPhone groups a number as its country does, and leaves other texts unchanged', () => {
  expect(formatPhone('+14155550102')).toBe('+1 415 555 0102');
  expect(formatPhone('+46701234567')).toBe('+46 70 123 45 67');
  for (const other of ['••••••••••02', 'Gran', '+', '']) expect(formatPhone(other)).toBe(other);
});

it('formatPhone keeps the order of the groups in a right-to-left line', () => {
  useLocale('ar');
  expect(formatPhone('+14155550102')).toBe('\u2066+1 415 555 0102\u2069');
});
