/** The language of the client: the account's, otherwise the browser's, otherwise English. */
import { useSyncExternalStore } from 'react';
import { i18n } from './i18n.ts';
import { chooseLanguage, chooseLocale, directionOf } from '@asterism/sdk';
import type { Language } from '@asterism/sdk';
import { storeWorkerLocale } from './stored-locale.ts';

const KEY = 'asterism.locale';

/** The lazily loaded catalogue of each language except English. */
const catalogues: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: Record<string, string> }>>> = {
  de: () => import('../locales/de.json'),
  es: () => import('../locales/es.json'),
  fr: () => import('../locales/fr.json'),
  ar: () => import('../locales/ar.json'),
};

/** The account's locale as last stored on this device. */
function storedLocale(): string[] {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null ? [] : [kept];
  } catch {
    return [];
  }
}

function storeLocale(locale: string): void {
  try {
    localStorage.setItem(KEY, locale);
  } catch {
    // It is read from the account again.
  }
}

let wanted_last: string | undefined;

/**
 * @param own the account's locales, which precede those of the browser
 * @param mayChange whether the language may still change once its catalogue is loaded
 */
async function speak(own: readonly string[], mayChange = () => true): Promise<void> {
  const language = chooseLanguage([...own, ...navigator.languages]);
  // The locale of dates may be configured separately from the language of pages.
  // The default locale. This is before anything is rendered, and formats of dates and numbers take a hundred times as long.
  const formats = new Intl.PluralRules().resolvedOptions().locale;
  const locale = chooseLocale(language, [...own, formats, ...navigator.languages]);
  wanted_last = locale;
  if (language === i18n.locale && locale === i18n.locales) return;
  const messages = language === 'en' ? {} : (await catalogues[language]()).default;
  // Another language was selected while this one was loading.
  if (wanted_last !== locale || !mayChange()) return;
  i18n.loadAndActivate({ locale: language, locales: locale, messages });
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

/** Activates the language of this device before the first render; English if its catalogue cannot be loaded. */
export async function startLanguage(): Promise<void> {
  await speak(storedLocale()).catch(() => undefined);
}

/**
 * Activates the language of the account.
 * @param locale the account's, a BCP 47 tag
 * @param mayChange whether the language may still change once its catalogue is loaded
 * @throws when its catalogue cannot be loaded
 */
export async function followAccountLocale(locale: string, mayChange: () => boolean): Promise<void> {
  storeLocale(locale);
  // Without storage for the service worker, its notifications are in the browser's language.
  void storeWorkerLocale(locale).catch(() => undefined);
  await speak([locale], mayChange);
}

/** The active locale; the component is rendered again when it changes. */
export function useSpokenLocale(): string {
  return useSyncExternalStore(
    (listener) => i18n.on('change', listener),
    () => `${i18n.locale} ${String(i18n.locales)}`,
  );
}
