/** Near spellings: finding a word although one letter of it was typed wrongly, left out or put in. */

/** What stands in very many texts of an index. */
export type Common = {
  /** Words, and words with a letter left out. */
  keys: ReadonlySet<string>;
  /** What of the keys is a part of very many texts, and not another common word with a letter left out of its midst. */
  words: ReadonlySet<string>;
};

import { join, sql, type Sql } from '../database/database.ts';

/** Shorter words have too many neighbours: "car" is one letter from "bar", "care" and "cat". */
const shortest_word = 4;
/** What is typed for the shortest word when a letter of it is left out. */
const shortest_typed = shortest_word - 1;
const max_typed = 32;
const max_words = 6;
/**
 * Of a word's near ones no more are looked at, the newest, since what is nearly a very common word is in very many
 * texts; and none when as many hold the word as it is, since those are better.
 */
const max_candidates = 100;
/** A shorter part of a word has no trigram: it is looked for as a whole word. */
const shortest_part = 3;

/** The words that were typed, in lower case; more than a few are not looked for. */
export function wordsOf(typed: string): string[] {
  const words = typed.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return [...new Set(words)].slice(0, max_words);
}

/** What is searched: rows of a table with an alias that meet a condition, and their text, as these stand in its indexes. */
export type Searched = { id: Sql; from: Sql; where: Sql; text: Sql };

/** Whether a word stands in a text as a part, or as a whole where it is too short to say anything as a part: not by an index. */
function holdsWord(text: Sql, word: string): Sql {
  // Words are letters and digits alone, so that they are themselves as a pattern. Text that is put together has no index.
  return [...word].length < shortest_part
    ? sql`(${text} || '') ~ ${`\\m${word}\\M`}`
    : sql`(${text} || '') like ${`%${word}%`}`;
}

/** The same by the indexes. */
function findsWord({ id, from, where, text }: Searched, word: string): Sql {
  if ([...word].length >= shortest_part) return sql`${text} like ${`%${word}%`}`;
  // A word of one or two letters is its only key, so that nothing but itself has it.
  return sql`${id} = any(array(select ${id} from ${from} where ${where} and spelling_keys(${text}) && ${[word]}::text[]))`;
}

const all = (conditions: Sql[]): Sql => (conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' and ')})`);

/**
 * A predicate over the rows of a table that has an index on the trigrams of a text: whether every word that was typed
 * stands in it as a part.
 * @param typed in lower case
 * @param common what is in so many texts that no index is asked for it: it is looked for in what the others, or the
 *   caller, have chosen
 */
export function matchWords(searched: Searched, typed: string, { words }: Common): Sql {
  return all(
    wordsOf(typed).map((word) => (words.has(word) ? holdsWord(searched.text, word) : findsWord(searched, word))),
  );
}

/** The same without any index, where a word may stand for a common one that differs from it by a letter, too. */
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
  return [...words].filter((common) => [...common].length >= shortest_word && distance(word, common) === 1);
}

/**
 * A predicate over the rows of a table that has two indexes on a text, one of its trigrams and one of its
 * `spelling_keys`: whether every word that was typed stands in it as a part, or stands there as a word of four letters
 * or more that differs from it by one letter (Levenshtein distance 1).
 * @param typed in lower case
 * @param common as for `matchWords`
 */
export function matchSpelling(searched: Searched, typed: string, common: Common): Sql {
  const { id, from, where, text } = searched;
  const words = wordsOf(typed).map((word) => {
    if (common.words.has(word)) return holdsWord(text, word);
    const length = [...word].length;
    if (length < shortest_typed || length > max_typed) return findsWord(searched, word);
    // A key that very many texts share leads to nobody in particular.
    const keys = spellingKeys(word).filter((key) => !common.keys.has(key));
    const pattern = `%${word}%`;
    // Near ones are found once and before all, because keys are too dear to be made anew for each row that is looked at.
    // Keys find candidates; the patterns decide, since two words may share a key and be two letters apart.
    // Ordered by an expression, so that the order of the identifiers' own index is no way to read all rows by.
    return sql`(${text} like ${pattern} or ${id} = any(array(
      select candidate.id from (
        select ${id} as id, ${text} as text from ${from}
        where ${where} and spelling_keys(${text}) && ${keys}::text[] and ${text} not like ${pattern}
          and (select count(*) from (
            select 1 from ${from} where ${where} and ${text} like ${pattern} limit ${max_candidates}::int) exact) < ${max_candidates}::int
        order by ${id} || '' desc limit ${max_candidates}::int) candidate
      where exists (
        select 1 from regexp_split_to_table(candidate.text collate "default", '[^[:alnum:]]+') as word
        where length(word) >= ${shortest_word}::int and word like any(${neighbours(word)}::text[])))))`;
  });
  return all(words);
}

/** A text as a pattern of LIKE that matches just it. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** The keys by which the words near to a typed one are found: itself, and itself with each of its letters left out. */
export function spellingKeys(word: string): string[] {
  const letters = [...word];
  if (letters.length < shortest_typed) return [word];
  return [...new Set([word, ...letters.map((_, at) => letters.toSpliced(at, 1).join(''))])];
}

/** Patterns for LIKE of all words at distance 1: a letter was left out, replaced or put in. */
export function neighbours(word: string): string[] {
  const letters = [...word];
  const around = (at: number, removed: number, put: string) =>
    [...letters.slice(0, at), put, ...letters.slice(at + removed)].join('');
  const left_out = Array.from({ length: letters.length + 1 }, (_, at) => around(at, 0, '_'));
  const replaced = letters.map((_, at) => around(at, 1, '_'));
  const put_in = letters.map((_, at) => around(at, 1, ''));
  return [...new Set([...left_out, ...replaced, ...put_in])];
}

/** How many letters have to be left out, replaced or put in (Levenshtein), as far as it is no more than one: 0, 1 or 2. */
function distance(one: string, two: string): 0 | 1 | 2 {
  if (one === two) return 0;
  const [shorter, longer] = [[...one], [...two]].toSorted((a, b) => a.length - b.length) as [string[], string[]];
  const gap = longer.length - shorter.length;
  if (gap > 1) return 2;
  const from = longer.findIndex((letter, at) => letter !== shorter[at]);
  return shorter.slice(from + 1 - gap).join('') === longer.slice(from + 1).join('') ? 1 : 2;
}
