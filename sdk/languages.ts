/** The list of languages of the service and its client, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', ar: 'العربية' } as const;
export type Language = keyof typeof languages;

const right_to_left: ReadonlySet<Language> = new Set(['ar']);

const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

/** The supported language of a BCP 47 tag, or undefined. */
export function languageOf(tag: string): Language | undefined {
  const base = baseOf(tag);
  return Object.hasOwn(languages, base) ? (base as Language) : undefined;
}

/** The first wanted language that is supported; English when none is. @param wanted BCP 47 tags, best first */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = languageOf(tag);
    if (language !== undefined) return language;
  }
  return 'en';
}

/**
 * The locale for dates and numbers: the most specific one that is known for the language. Arabic uses the digits 0 to
 * 9, as the counts in messages do, so that a page never mixes two kinds of digits.
 */
export function chooseLocale(language: Language, wanted: readonly string[]): string {
  const same = wanted.filter((tag) => baseOf(tag) === language);
  const exact = same.find((tag) => tag.includes('-')) ?? same[0] ?? language;
  return language === 'ar' ? `${exact.split('-u-')[0]}-u-nu-latn` : exact;
}

/** The writing direction of a language. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return right_to_left.has(language) ? 'rtl' : 'ltr';
}
