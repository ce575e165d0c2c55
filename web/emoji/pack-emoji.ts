/** Packs the emoji with their names for the picker of the web client, in each of its languages. */
import { createRequire } from 'node:module';
import type { Language } from '../../sdk/languages.ts';
import type { PackedEmoji, PackedEmojiEntry } from '../src/features/emoji/packed-emoji.ts';

const read = createRequire(import.meta.url);

/** An emoji in the data of Emojibase. */
interface Entry {
  emoji: string;
  label: string;
  version: number;
  /** Missing for what is only a part of other emoji. */
  group?: number;
  tags?: string[];
  /** Of a variant with one person: the tone, 1 to 5. */
  tone?: number | number[];
  skins?: Entry[];
}

/** Later emoji are missing from the fonts of devices that are a few years old. */
const NEWEST_VERSION = 15.1;
/** The category of parts, such as skin tones. */
const COMPONENTS = 2;
const TONES = ['🏻', '🏼', '🏽', '🏾', '🏿'];

/** The names and search words of other languages, by emoji (Unicode CLDR, by `tools/emoji/write-arabic-names.ts`). */
const other_names: Partial<Record<Language, string>> = { ar: './names-ar.json' };

const is_one_emoji = /^\p{RGI_Emoji}$/v;

/** Emojibase also has selectors where the standard has none, and the service refuses those. */
function standardize(entry: Entry): Entry {
  const emoji = is_one_emoji.test(entry.emoji) ? entry.emoji : entry.emoji.replaceAll('\uFE0F', '');
  return { ...entry, emoji, ...(entry.skins === undefined ? {} : { skins: entry.skins.map(standardize) }) };
}

const readEntries = (language: Language): Entry[] =>
  (read(`emojibase-data/${language}/data.json`) as Entry[]).map(standardize);

/** The emoji with names in a language that Emojibase does not have; what has no name there keeps the English one. */
function renameEntries(entries: Entry[], path: string): Entry[] {
  const names = read(path) as Record<string, [name: string, ...words: string[]]>;
  return entries.map((entry) => {
    const [label = entry.label, ...tags] = names[entry.emoji] ?? [];
    return { ...entry, label, tags };
  });
}

/** The five tones of an emoji with one person, or none. */
function tonesOf({ skins = [] }: Entry): string[] {
  return skins.filter(({ tone }) => typeof tone === 'number').map(({ emoji }) => emoji);
}

function pack(entry: Entry, language: Language): PackedEmojiEntry[] {
  const { emoji, label, group, tags = [], version } = entry;
  if (group === undefined || group === COMPONENTS || version > NEWEST_VERSION) return [];
  const [first = '', ...rest] = label;
  const name = first.toLocaleUpperCase(language) + rest.join('');
  const tones = tonesOf(entry);
  return [tones.length === TONES.length ? [emoji, group, name, tags, tones] : [emoji, group, name, tags]];
}

/** The emoji in the order of Unicode, with their names in a language. */
export function packEmoji(language: Language): PackedEmoji {
  const path = other_names[language];
  const entries = path === undefined ? readEntries(language) : renameEntries(readEntries('en'), path);
  const tones = TONES.map((tone) => entries.find(({ emoji }) => emoji === tone)?.label ?? '');
  return { tones, emoji: entries.flatMap((entry) => pack(entry, language)) };
}
