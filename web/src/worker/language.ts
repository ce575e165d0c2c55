/** The language of notifications shown by the service worker. */
import { i18n } from '../i18n/i18n.ts';
import { chooseLanguage } from '@asterism/sdk';
import { readWorkerLocale } from '../i18n/stored-locale.ts';
import ar from './locales/ar.json';
import de from './locales/de.json';
import es from './locales/es.json';
import fr from './locales/fr.json';

const catalogues = { en: {}, de, es, fr, ar };

/** Activates the language that the page used last, otherwise the browser's. */
export async function applyStoredLanguage(): Promise<void> {
  const kept = await readWorkerLocale();
  const language = chooseLanguage([...(kept === undefined ? [] : [kept]), ...navigator.languages]);
  i18n.loadAndActivate({ locale: language, messages: catalogues[language] });
}
