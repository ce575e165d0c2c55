import { afterEach, expect, it } from 'vitest';
import { clockTime, narrowClockTime } from './clock-time.ts';
import { i18n } from './i18n.ts';

const useLocale = (locales: string) => i18n.loadAndActivate({ locale: 'en', locales, messages: {} });
afterEach(() => useLocale('en'));

/** A time with ordinary spaces, which versions of the locale data write differently. */
const plain = (time: string) => time.replaceAll(/\s/gu, ' ');

it('narrowClockTime leaves out the minutes of a full hour where the clock has 12 hours, and only there', () => {
  useLocale('en-US');
  expect(plain(narrowClockTime('2031-05-14T07:00:00Z', 'UTC'))).toBe('7 AM');
  expect(plain(narrowClockTime('2031-05-14T19:30:00Z', 'UTC'))).toBe('7:30 PM');
  expect(plain(narrowClockTime('2031-05-14T07:00:00Z', 'Asia/Kolkata'))).toBe('12:30 PM');
  useLocale('ar');
  expect(plain(narrowClockTime('2031-05-14T07:00:00Z', 'UTC'))).toMatch(/^\S+ ص$/u);
  for (const locale of ['en-GB', 'de', 'fr', 'es']) {
    useLocale(locale);
    for (const at of ['2031-05-14T07:00:00Z', '2031-05-14T19:30:00Z'])
      expect(narrowClockTime(at, 'UTC')).toBe(clockTime(at, 'UTC'));
  }
});
