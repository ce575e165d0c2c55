import { i18n } from './i18n.ts';
import { formatList } from './format.ts';

/** Joins names as the language does: "Ada, Ben and Cem"; with `comma`, without "and" before the last. */
export function listNames(names: readonly string[], how: 'and' | 'comma' = 'and'): string {
  if (how === 'and') return formatList(names);
  // In some languages Intl.ListFormat puts an "and" before the last name with any of its options.
  return names.join(i18n.locale === 'ar' ? '، ' : ', ');
}
