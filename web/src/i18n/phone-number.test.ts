/** How the client formats phone numbers. */
import { afterEach, expect, it } from 'vitest';
import { i18n } from './i18n.ts';
import { formatPhone, readPhone } from './phone-number.ts';

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

it.each([
  ['+44 20 7946 0000', undefined, { number: '+442079460000', country: 'United Kingdom' }],
  ['(415) 555-0102', '+14155550101', { number: '+14155550102', country: 'United States' }],
  ['030 12345678', '+491701234567', { number: '+493012345678', country: 'Germany' }],
])('readPhone reads %s, of somebody with the number %s', (typed, own, phone) => {
  expect(readPhone(typed, own)).toEqual(phone);
});

it.each(['030 12345678', 'jazz', '12 bars', '2026', '+1 2', '+999 1234567', ''])(
  'readPhone reads no number in "%s"',
  (typed) => {
    expect(readPhone(typed, undefined)).toBeUndefined();
  },
);
