/** The language of the frame: the visitor's. */
import { i18n } from '../i18n/i18n.ts';
import { chooseLanguage, directionOf } from '@asterism/sdk';

const catalogues = {
  de: () => import('./locales/de.json'),
  es: () => import('./locales/es.json'),
  fr: () => import('./locales/fr.json'),
  ar: () => import('./locales/ar.json'),
};

/** Activates the first supported language of the visitor's browser; English if its catalogue cannot be loaded. */
export async function activateVisitorLanguage(): Promise<void> {
  const language = chooseLanguage(navigator.languages);
  if (language === 'en') return;
  try {
    i18n.loadAndActivate({ locale: language, messages: (await catalogues[language]()).default });
  } catch {
    return;
  }
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}
