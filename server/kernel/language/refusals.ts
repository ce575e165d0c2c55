/**
 * Refusals in other languages. The service refuses in English, and its English text is the name of what the catalogue holds. A
 * text with values, such as `must be at most 30 days after from`, is found by its pattern: refusals come out of decoder
 * processes, rules and rows of the database as plain text, and so need not carry anything else.
 */
import type { Language } from '../../../sdk/languages.ts';
import type { Fields } from '../errors.ts';
import { onceForEach, readCatalogue, createI18n, localeOf } from './i18n.ts';

type Pattern = { english: string; shape: RegExp; names: string[] };

/** What a text with values looks like: the most exact patterns first, so that the widest are tried last. */
function readPatterns(messages: string[]): Pattern[] {
  return messages
    .filter((message) => message.includes('{'))
    .map((english) => {
      const words = english.split(/\{\w+\}/);
      const shape = words.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('(.+?)');
      const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      return { english, shape: new RegExp(`^${shape}$`, 'su'), names, exact: words.join('').length };
    })
    .sort((one, other) => other.exact - one.exact);
}

const openEnglish = onceForEach(() => {
  const messages = Object.keys(readCatalogue('en', 'refusals'));
  return { plain: new Set(messages.filter((message) => !message.includes('{'))), patterns: readPatterns(messages) };
});

const refusalsOf = onceForEach((language) => createI18n(language, readCatalogue(language, 'refusals')));

/** The message of the catalogue that an English text says, with its values; undefined where there is none. */
export function findRefusal(text: string): { english: string; values: Record<string, string> } | undefined {
  const { plain, patterns } = openEnglish('en');
  if (plain.has(text)) return { english: text, values: {} };
  for (const { english, shape, names } of patterns) {
    const found = shape.exec(text);
    if (found) return { english, values: Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ''])) };
  }
  return undefined;
}

/** An English refusal as another language says it; as it is where no catalogue has it. */
export function translateRefusal(text: string, language: Language): string {
  if (language === 'en') return text;
  const found = findRefusal(text);
  if (!found) return text;
  const { alternatives } = found.values;
  const values =
    alternatives === undefined ? found.values : { ...found.values, alternatives: sayAny(alternatives, language) };
  return refusalsOf(language).t(found.english, values);
}

/** A value called `alternatives` is a list, `a time or “to”`, each of which has a message of its own unless it is in quotes. */
function sayAny(alternatives: string, language: Language): string {
  const { plain } = openEnglish('en');
  const said = alternatives.split(' or ').map((one) => (plain.has(one) ? refusalsOf(language).t(one) : one));
  return new Intl.ListFormat(localeOf(language), { type: 'disjunction' }).format(said);
}

type Envelope = { error: { code: string; message: string; fields?: Fields } };

/** An envelope with its message, and that of each field, in another language; the code and all else stay as they are. */
export function translateEnvelope<E extends Envelope>(envelope: E, language: Language): E {
  if (language === 'en') return envelope;
  const { error } = envelope;
  const fields = Object.entries(error.fields ?? {}).map(([name, text]) => [name, translateRefusal(text, language)]);
  const message = translateRefusal(error.message, language);
  return { ...envelope, error: { ...error, message, ...(error.fields && { fields: Object.fromEntries(fields) }) } };
}
