/** Which language and locale the web client chooses, and how it formats a message. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { i18n } from './i18n.ts';
import { chooseLanguage, chooseLocale, directionOf } from '../../../sdk/languages.ts';
import { parseMessage } from './parse-message.ts';

const catalogueOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'locales', `${language}.json`), 'utf8')) as Record<
    string,
    string
  >;

describe('the language of the client', () => {
  it('is the first supported one of the browser, and English where none is', () => {
    expect(chooseLanguage(['pt-BR', 'fr-CA', 'de'])).toBe('fr');
    expect(chooseLanguage(['DE-at'])).toBe('de');
    expect(chooseLanguage(['pt', 'constructor'])).toBe('en');
    expect(chooseLanguage([])).toBe('en');
  });

  it('has the most specific locale of the browser', () => {
    expect(chooseLocale('de', ['de', 'en-GB', 'de-AT', 'de-DE'])).toBe('de-AT');
    expect(chooseLocale('es', ['es', 'en-GB'])).toBe('es');
    expect(chooseLocale('en', ['en', 'en-GB', 'en-US'])).toBe('en-GB');
    expect(new Date('2031-05-14').toLocaleDateString(chooseLocale('ar', ['ar-EG']), { day: 'numeric' })).toBe('14');
  });

  it('is written from right to left for Arabic', () => {
    expect([directionOf('ar'), directionOf('de')]).toEqual(['rtl', 'ltr']);
  });
});

describe('a message', () => {
  afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

  it('formats values, plurals, ordinals and selections', () => {
    const replies = '{count, plural, =0 {none} one {# reply of {name}} other {# replies}}';
    const format = (count: number) => i18n.t(replies, { count, name: 'Ada' });
    expect([format(0), format(1), format(1200)]).toEqual(['none', '1 reply of Ada', '1,200 replies']);
    expect(i18n.t('{nth, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { nth: 22 })).toBe('22nd');
    expect(i18n.t('{kind, select, a {first #} other {another}}', { kind: 'a' })).toBe('first #');
  });

  it.each(['{count, plural, one {#}}', '{count, plural, other {#}', 'a } b', '{a b}', '{n, number}'])(
    'with invalid syntax is rejected: %s',
    (message) => {
      expect(() => parseMessage(message)).toThrow(SyntaxError);
    },
  );

  it('has the six plural forms of Arabic', () => {
    i18n.loadAndActivate({ locale: 'ar', locales: 'ar-u-nu-latn', messages: catalogueOf('ar') });
    const format = (count: number) => i18n.t('{count, plural, one {# new message} other {# new messages}}', { count });
    const texts = [0, 1, 2, 3, 11, 100].map(format);
    expect(new Set(texts).size).toBe(6);
    expect(texts[3]).toBe('3 رسائل جديدة');
  });
});
