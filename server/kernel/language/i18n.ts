/** Texts that the service writes to people, in their language: `i18nOf(language).t('Hello {name}', { name })`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setupI18n, type I18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { chooseLocale, type Language } from '../../../sdk/languages.ts';

export { directionOf, formatMinutesFromNow, type Language } from '../../../sdk/languages.ts';
export type { I18n } from '@lingui/core';

const locales_dir = join(import.meta.dirname, '..', '..', 'locales');

/** A catalogue: the translation of each English message. */
export const readCatalogue = (language: Language, folder = ''): Record<string, string> =>
  JSON.parse(readFileSync(join(locales_dir, folder, `${language}.json`), 'utf8')) as Record<string, string>;

/** Memoises a value for each language. */
export function onceForEach<T>(make: (language: Language) => T): (language: Language) => T {
  const made = new Map<Language, T>();
  return (language) => {
    const known = made.get(language);
    if (known !== undefined) return known;
    const fresh = make(language);
    made.set(language, fresh);
    return fresh;
  };
}

/** A Lingui instance for one language; messages without a translation appear in English. */
export function createI18n(language: Language, catalogue: Record<string, string>): I18n {
  const messages = Object.fromEntries(
    Object.entries(catalogue).map(([english, translation]) => [english, compileMessage(translation || english)]),
  );
  return setupI18n({ locale: language, locales: chooseLocale(language, []), messages: { [language]: messages } });
}

/** The texts of mails, text messages and pages in one language. The English text is the key of a message. */
export const i18nOf = onceForEach((language) => createI18n(language, readCatalogue(language)));

/** The locale by which a language formats dates and numbers when no more specific one is known. */
export const localeOf = (language: Language): string => chooseLocale(language, []);
