import { i18n } from './i18n.ts';
import { locale } from './locale.ts';

/** Names as a language lists them: "Ada, Ben and Cem"; with `comma` no "and" before the last. */
export function listNames(names: readonly string[], how: 'and' | 'comma' = 'and'): string {
  if (how === 'and') return new Intl.ListFormat(locale()).format(names);
  // The formats of the browser put an "and" before the last in some languages, whatever is asked of them.
  return names.join(i18n.locale === 'ar' ? '، ' : ', ');
}
