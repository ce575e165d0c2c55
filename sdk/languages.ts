/** The list of languages of the service and its client, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', ar: 'العربية' } as const;

/** The code of a supported language (ISO 639-1). */
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

/** The largest unit in which a number of minutes is whole, and its length in minutes. */
const UNITS = [
  ['week', 7 * 24 * 60],
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const;

/**
 * A time from now in words, such as "in 10 minutes" or "in 2 hours", by the rules of a language (ECMA-402).
 * @param minutes whole, at least 1
 * @param locale a BCP 47 language tag
 */
export function formatMinutesFromNow(minutes: number, locale: string): string {
  const [unit, length] = UNITS.find(([, one]) => minutes % one === 0) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(locale).format(minutes / length, unit);
}
