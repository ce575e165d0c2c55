import { afterEach, expect, it } from 'vitest';
import { i18n } from '../../i18n/i18n.ts';
import { describeSpan } from './span-text.ts';

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

it.each([
  ['en', 30, '30 min'],
  ['en', 60, '1 hour'],
  ['en', 1440, '24 hours'],
  ['de', 30, '30 Min.'],
  ['de', 60, '1 Stunde'],
  ['fr', 480, '8 heures'],
])('in %s, %d minutes are %s', (language, minutes, words) => {
  i18n.loadAndActivate({ locale: language, locales: language, messages: {} });
  expect(describeSpan(minutes).replaceAll(/\s/g, ' ')).toBe(words);
});
