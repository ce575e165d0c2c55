import { i18n } from './i18n.ts';

/** The locale of dates, numbers and lists in the active language; the browser's own until a language is selected. */
export function locale(): string | undefined {
  return typeof i18n.locales === 'string' ? i18n.locales : undefined;
}
