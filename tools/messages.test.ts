/** The catalogues of the web client: complete in every language, and consistent with the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { describe, expect, it } from 'vitest';
import { languages } from '../sdk/languages.ts';
import { parseMessage } from '../web/src/i18n/parse-message.ts';
import { slow } from '../testing/slow-tests.ts';

const web_dir = join(import.meta.dirname, '..', 'web');
const config = getConfig({ cwd: web_dir });
const catalogues = await getCatalogs(config);
const translated = Object.keys(languages).filter((language) => language !== 'en');

const read = (path: string): Record<string, string> => JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;

/** A message parsed as the client does it. */
const partsOf = (message: string): unknown[] => {
  const parsed: unknown = parseMessage(message);
  return Array.isArray(parsed) ? parsed : [parsed];
};

/** The values and the markup that a message contains. */
function placeholdersOf(message: string): string[] {
  const placeholders = new Set<string>();
  const walk = (parts: unknown[]): void => {
    for (const part of parts) {
      if (!Array.isArray(part)) continue;
      const [name, , choices] = part as [string, string?, Record<string, unknown[]>?];
      placeholders.add(name);
      for (const choice of Object.values(choices ?? {})) walk(choice);
    }
  };
  walk(partsOf(message));
  for (const [, tag = ''] of message.matchAll(/<(\w+)>/g)) placeholders.add(`<${tag}>`);
  return [...placeholders].sort();
}

/** The plural categories that a language distinguishes among counts from 0 to 200. */
function pluralCategoriesOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))];
}

/** The plural choices of a message, each with its cases. */
function pluralsOf(parts: unknown[]): string[][] {
  return parts.flatMap((part) => {
    if (!Array.isArray(part)) return [];
    const [, kind, choices] = part as [string, string?, Record<string, unknown[]>?];
    const inner = Object.values(choices ?? {}).flatMap(pluralsOf);
    return kind === 'plural' ? [Object.keys(choices ?? {}), ...inner] : inner;
  });
}

describe.each(
  catalogues.map((catalogue) => ({ name: relative(web_dir, catalogue.getFilename('{locale}')), catalogue })),
)('the catalogues $name', ({ catalogue }) => {
  const english = read(catalogue.getFilename('en'));

  it('contain exactly the messages of the code', slow, async () => {
    const extracted = Object.keys((await catalogue.collect()) ?? {});
    expect(extracted.length).toBeGreaterThan(0);
    expect(
      extracted.filter((message) => !(message in english)),
      'run `npm run messages`',
    ).toEqual([]);
    expect(
      Object.keys(english).filter((message) => !extracted.includes(message)),
      'run `npm run messages`',
    ).toEqual([]);
  });

  it.each(translated)('are complete in %s', (language) => {
    const translations = read(catalogue.getFilename(language));
    expect(Object.keys(translations)).toEqual(Object.keys(english));
    expect(Object.keys(translations).filter((message) => !translations[message]?.trim())).toEqual([]);
  });

  it.each(translated)('contain every value and every plural case in %s', (language) => {
    for (const [message, translation] of Object.entries(read(catalogue.getFilename(language)))) {
      expect(placeholdersOf(translation), message).toEqual(placeholdersOf(message));
      for (const cases of pluralsOf(partsOf(translation)))
        expect(cases, message).toEqual(expect.arrayContaining(pluralCategoriesOf(language)));
    }
  });
});

describe('texts of the service', () => {
  it('are only in files that the extractor reads', () => {
    const root = join(web_dir, '..');
    const read_by = catalogues.flatMap(({ include }) => include.map((path) => relative(root, path)));
    const translating_files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
      .map((path) => join('server', path))
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .filter((path) => /\bi18n\.t\(\s*'/.test(readFileSync(join(root, path), 'utf8')));
    expect(translating_files.length).toBeGreaterThan(5);
    expect(translating_files.filter((path) => !read_by.some((prefix) => path.startsWith(prefix)))).toEqual([]);
  });
});
