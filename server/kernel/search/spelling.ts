/** Fuzzy search: finds a word even if one letter of it was mistyped, omitted or inserted. */

/** What occurs in very many texts of an index. */
export type Common = {
  /** Words, and words with one letter omitted. */
  keys: ReadonlySet<string>;
  /** Those keys that are a substring of very many texts, except for common words with an inner letter omitted. */
  words: ReadonlySet<string>;
};

import { join, sql, type Sql } from '../database/database.ts';

/** Shorter words have too many neighbours: "car" is one letter from "bar", "care" and "cat". */
const min_word_length = 4;
/** The length of the shortest word with one letter omitted. */
const min_typed_length = min_word_length - 1;
const max_typed = 32;
const max_words = 6;
/**
 * The maximum of near matches of a word that are considered, the newest, since a very common word has near matches in very
 * many texts; and none when as many texts match exactly, since those are better.
 */
const max_candidates = 100;
/** A shorter part of a word has no trigram: it is matched as a whole word. */
const min_part_length = 3;

/**
 * The typed words, in lower case; the first few only, the shortest first: statements for words of the same kinds then have
 * the same text.
 */
export function wordsOf(typed: string): string[] {
  const words = typed.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return [...new Set(words)].slice(0, max_words).sort((one, other) => one.length - other.length);
}

/**
 * A searchable set: rows of a table with an alias that meet a condition, and their text expression, exactly as in its
 * indexes.
 */
export type Searched = { id: Sql; from: Sql; where: Sql; text: Sql };

/** Whether a text contains a word as a part, or as a whole word where it is too short for that: without an index. */
function holdsWord(text: Sql, word: string): Sql {
  // Words are letters and digits only, so that they need no escaping in a pattern. A computed text has no index.
  return [...word].length < min_part_length
    ? sql`(${text} || '') ~ ${`\\m${word}\\M`}`
    : sql`(${text} || '') like ${`%${word}%`}`;
}

/** Whether a text contains a word, looked up in the indexes: as a part, or as a whole word where it is too short. */
function findsWord({ id, from, where, text }: Searched, word: string): Sql {
  if ([...word].length >= min_part_length) return sql`${text} like ${`%${word}%`}`;
  // A word of one or two letters has itself as its only key, so that no other word matches it.
  return sql`${id} = any(array(select ${id} from ${from} where ${where} and spelling_keys(${text}) && ${[word]}::text[]))`;
}

const all = (conditions: Sql[]): Sql => (conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' and ')})`);

/**
 * A predicate over the rows of a table with a trigram index on a text: whether the text contains every typed word as a
 * part.
 * @param typed in lower case
 * @param common words that are not looked up in the index, but checked on the rows that the other words, or the
 *   caller, select
 */
export function matchWords(searched: Searched, typed: string, { words }: Common): Sql {
  return all(
    wordsOf(typed).map((word) => (words.has(word) ? holdsWord(searched.text, word) : findsWord(searched, word))),
  );
}

/**
 * Whether a text contains every typed word, or a common one that differs from it by one letter; checked row by row,
 * without an index.
 */
export function matchNearCommon({ text }: Searched, typed: string, common: Common): Sql {
  return all(
    wordsOf(typed).map(
      (word) =>
        sql`(${join(
          [word, ...nearCommon(word, common)].map((one) => holdsWord(text, one)),
          ' or ',
        )})`,
    ),
  );
}

/** The common words that differ from a word by one letter. */
export function nearCommon(word: string, { words }: Common): string[] {
  return [...words].filter((common) => [...common].length >= min_word_length && distance(word, common) === 1);
}

/**
 * A predicate over the rows of a table that has two indexes on a text, one of trigrams and one of `spelling_keys`:
 * whether the text contains every typed word as a part, or a word of four letters or more that differs from it by one
 * letter (Levenshtein distance 1).
 * @param typed in lower case
 * @param common as for `matchWords`
 */
export function matchSpelling(searched: Searched, typed: string, common: Common): Sql {
  const { id, from, where, text } = searched;
  const words = wordsOf(typed).map((word) => {
    if (common.words.has(word)) return holdsWord(text, word);
    const length = [...word].length;
    if (length < min_typed_length || length > max_typed) return findsWord(searched, word);
    // A key shared by very many texts does not narrow the search.
    const keys = spellingKeys(word).filter((key) => !common.keys.has(key));
    const pattern = `%${word}%`;
    // Near matches are computed once up front, because computing keys for each examined row is too expensive.
    return sql`(${text} like ${pattern} or ${id} = any(array(
      select candidate.id from (
        select ${id} as id, ${text} as text from ${from}
        where ${where} and spelling_keys(${text}) && ${keys}::text[] and ${text} not like ${pattern}
          and (select count(*) from (
            select 1 from ${from} where ${where} and ${text} like ${pattern} limit ${max_candidates}::int) exact) < ${max_candidates}::int
        order by ${id} || '' desc limit ${max_candidates}::int) candidate
      where exists (
        select 1 from regexp_split_to_table(candidate.text collate "default", '[^[:alnum:]]+') as word
        where length(word) >= ${min_word_length}::int and word like any(${neighbours(word)}::text[])))))`;
  });
  return all(words);
}

/** Escapes a text for use as a LIKE pattern. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** The lookup keys of the words near a typed one: itself, and itself with each of its letters omitted. */
export function spellingKeys(word: string): string[] {
  const letters = [...word];
  if (letters.length < min_typed_length) return [word];
  return [...new Set([word, ...letters.map((_, at) => letters.toSpliced(at, 1).join(''))])];
}

/** LIKE patterns for all words at distance 1: a letter omitted, replaced or inserted. */
export function neighbours(word: string): string[] {
  const letters = [...word];
  const around = (at: number, removed: number, put: string) =>
    [...letters.slice(0, at), put, ...letters.slice(at + removed)].join('');
  const left_out = Array.from({ length: letters.length + 1 }, (_, at) => around(at, 0, '_'));
  const replaced = letters.map((_, at) => around(at, 1, '_'));
  const put_in = letters.map((_, at) => around(at, 1, ''));
  return [...new Set([...left_out, ...replaced, ...put_in])];
}

/** The Levenshtein distance, capped at 2. */
function distance(one: string, two: string): 0 | 1 | 2 {
  if (one === two) return 0;
  const [shorter, longer] = [[...one], [...two]].toSorted((a, b) => a.length - b.length) as [string[], string[]];
  const gap = longer.length - shorter.length;
  if (gap > 1) return 2;
  const from = longer.findIndex((letter, at) => letter !== shorter[at]);
  return shorter.slice(from + 1 - gap).join('') === longer.slice(from + 1).join('') ? 1 : 2;
}
