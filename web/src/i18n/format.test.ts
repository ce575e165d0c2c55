import { afterEach, expect, it, vi } from 'vitest';
import {
  formatDate,
  formatDateTime,
  formatRelativeTime,
  formatList,
  formatRelativeDay,
  formatNumber,
} from './format.ts';
import { i18n } from './i18n.ts';

const useLocale = (locales: string) => i18n.loadAndActivate({ locale: 'en', locales, messages: {} });
afterEach(() => {
  useLocale('en');
  vi.restoreAllMocks();
});

const at = '2031-05-14T12:00:00Z';

it('formats follow the active locale', () => {
  useLocale('en-GB');
  expect(formatDate(at, { month: 'long', timeZone: 'UTC' })).toBe('May');
  expect([formatNumber(1234.5), formatList(['Ada', 'Ben', 'Cem'])]).toEqual(['1,234.5', 'Ada, Ben and Cem']);
  expect([formatRelativeDay(-1), formatRelativeTime(-3, 'day')]).toEqual(['Yesterday', '3 days ago']);
  useLocale('de');
  expect(formatDate(at, { month: 'long', timeZone: 'UTC' })).toBe('Mai');
  expect([formatNumber(1234.5), formatList(['Ada', 'Ben', 'Cem'])]).toEqual(['1.234,5', 'Ada, Ben und Cem']);
  expect([formatRelativeDay(1), formatRelativeTime(-3, 'day')]).toEqual(['Morgen', 'vor 3 Tagen']);
});

it('a formatter is created once for its options', () => {
  useLocale('fr-CA');
  const create = vi.spyOn(Intl, 'DateTimeFormat');
  for (let count = 0; count < 20; count++) formatDate(at, { weekday: 'long', month: 'long' });
  expect(create).toHaveBeenCalledTimes(1);
  formatDate(at, { weekday: 'long' });
  expect(create).toHaveBeenCalledTimes(2);
});

it('a formatter is created again in another time zone, since it keeps the one in which it was created', () => {
  useLocale('en-GB');
  formatDateTime(at);
  const create = vi.spyOn(Intl, 'DateTimeFormat');
  const offset = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-540);
  formatDateTime(at);
  formatDateTime(at);
  expect(create).toHaveBeenCalledTimes(1);
  offset.mockReturnValue(-120);
  formatDateTime(at);
  expect(create).toHaveBeenCalledTimes(2);
});
