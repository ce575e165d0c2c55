import { locale } from './locale.ts';

/** Names as a language lists them: "Ada, Ben and Cem"; with `comma` no "and" before the last. */
export function listNames(names: readonly string[], how: 'and' | 'comma' = 'and'): string {
  if (how === 'and') return new Intl.ListFormat(locale()).format(names);
  return new Intl.ListFormat(locale(), { type: 'unit', style: 'short' }).format(names);
}
