import { i18n } from './i18n.ts';

/** The locale of dates, numbers and lists in the language that is spoken, until one is chosen the browser's own. */
export function locale(): string | undefined {
  return typeof i18n.locales === 'string' ? i18n.locales : undefined;
}
