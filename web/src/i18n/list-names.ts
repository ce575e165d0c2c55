import { i18n } from './i18n.ts';
import { locale } from './locale.ts';

/** Joins names as the language does: "Ada, Ben and Cem"; with `comma`, without "and" before the last. */
export function listNames(names: readonly string[], how: 'and' | 'comma' = 'and'): string {
  if (how === 'and') return new Intl.ListFormat(locale()).format(names);
  // In some languages Intl.ListFormat puts an "and" before the last name with any of its options.
  return names.join(i18n.locale === 'ar' ? '، ' : ', ');
}
