/**
 * Translation of refusals. Refusals are written in English, and the English text is the key in the catalogue. A text
 * with values, such as `must be at most 30 days after from`, is matched by its pattern: refusals come from decoder
 * processes, rules and database rows as plain text, and therefore have no key.
 */
import type { Language } from '../../../sdk/languages.ts';
import type { Fields } from '../errors.ts';
import { onceForEach, readCatalogue, createI18n, localeOf } from './i18n.ts';

type Pattern = { english: string; shape: RegExp; names: string[] };

/** Patterns of texts with values, the most specific first. */
function readPatterns(messages: string[]): Pattern[] {
  return messages
    .filter((message) => message.includes('{'))
    .map((english) => {
      const parts = english.split(/\{\w+\}/);
      const shape = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('(.+?)');
      const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      return { english, shape: new RegExp(`^${shape}$`, 'su'), names, exact: parts.join('').length };
    })
    .sort((one, other) => other.exact - one.exact);
}

const openEnglish = onceForEach(() => {
  const messages = Object.keys(readCatalogue('en', 'refusals'));
  return { plain: new Set(messages.filter((message) => !message.includes('{'))), patterns: readPatterns(messages) };
});

const refusalsOf = onceForEach((language) => createI18n(language, readCatalogue(language, 'refusals')));

/** The catalogue message that an English text is an instance of, with its values; undefined when there is none. */
export function findRefusal(text: string): { english: string; values: Record<string, string> } | undefined {
  const { plain, patterns } = openEnglish('en');
  if (plain.has(text)) return { english: text, values: {} };
  for (const { english, shape, names } of patterns) {
    const found = shape.exec(text);
    if (found) return { english, values: Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ''])) };
  }
  return undefined;
}

/** Translates an English refusal; returned unchanged when no catalogue has it. */
export function translateRefusal(text: string, language: Language): string {
  if (language === 'en') return text;
  const found = findRefusal(text);
  if (!found) return text;
  const { alternatives } = found.values;
  const values =
    alternatives === undefined ? found.values : { ...found.values, alternatives: sayAny(alternatives, language) };
  return refusalsOf(language).t(found.english, values);
}

/** A value named `alternatives` is a list, such as `a time or “to”`; each unquoted item has a separate message. */
function sayAny(alternatives: string, language: Language): string {
  const { plain } = openEnglish('en');
  const said = alternatives.split(' or ').map((one) => (plain.has(one) ? refusalsOf(language).t(one) : one));
  return new Intl.ListFormat(localeOf(language), { type: 'disjunction' }).format(said);
}

type Envelope = { error: { code: string; message: string; fields?: Fields } };

/** Translates the message and the fields of an envelope; the code and everything else stay the same. */
export function translateEnvelope<E extends Envelope>(envelope: E, language: Language): E {
  if (language === 'en') return envelope;
  const { error } = envelope;
  const fields = Object.entries(error.fields ?? {}).map(([name, text]) => [name, translateRefusal(text, language)]);
  const message = translateRefusal(error.message, language);
  return { ...envelope, error: { ...error, message, ...(error.fields && { fields: Object.fromEntries(fields) }) } };
}
