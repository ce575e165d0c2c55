/** The language of the client: the account's, else the browser's, else English. */
import { useSyncExternalStore } from 'react';
import { i18n } from './i18n.ts';
import { chooseLanguage, chooseLocale, directionOf } from '@asterism/sdk';
import type { Language } from '@asterism/sdk';
import { storeWorkerLocale } from '../worker/stored-locale.ts';

const KEY = 'asterism.locale';

/** What each language but English is fetched with, once it is chosen. */
const catalogues: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: Record<string, string> }>>> = {
  de: () => import('../locales/de.json'),
  es: () => import('../locales/es.json'),
  fr: () => import('../locales/fr.json'),
  ar: () => import('../locales/ar.json'),
};

/** The account's locale as this device heard of it last. */
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
    // It is asked of the account again.
  }
}

let wanted_last: string | undefined;

/** @param own what the account says, before what the browser says */
async function speak(own: readonly string[]): Promise<void> {
  const language = chooseLanguage([...own, ...navigator.languages]);
  // How dates are written may be set apart from the language of pages.
  const formats = new Intl.DateTimeFormat().resolvedOptions().locale;
  const locale = chooseLocale(language, [...own, formats, ...navigator.languages]);
  if (language === i18n.locale && locale === i18n.locales) return;
  wanted_last = locale;
  const messages = language === 'en' ? {} : (await catalogues[language]()).default;
  // Another was chosen while this one was on its way.
  if (wanted_last !== locale) return;
  i18n.loadAndActivate({ locale: language, locales: locale, messages });
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

/** Speaks the language of this device before anything is drawn. English where its file cannot be fetched. */
export async function startLanguage(): Promise<void> {
  await speak(storedLocale()).catch(() => undefined);
}

/**
 * Speaks the language of the account from now on.
 * @param locale the account's, a BCP 47 tag
 * @throws where the language cannot be fetched
 */
export async function followAccountLocale(locale: string): Promise<void> {
  storeLocale(locale);
  // Where the browser keeps nothing for a worker, its notices are in the browser's own language.
  void storeWorkerLocale(locale).catch(() => undefined);
  await speak([locale]);
}

/** The locale that is spoken now, which draws its component anew when another is. */
export function useSpokenLocale(): string {
  return useSyncExternalStore(
    (listener) => i18n.on('change', listener),
    () => `${i18n.locale} ${String(i18n.locales)}`,
  );
}
