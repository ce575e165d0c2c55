/** Near spellings: finding a word although one letter of it was typed wrongly, left out or put in. */
import { join, sql, type Sql } from './database.ts';

/** Shorter words have too many neighbours: "car" is one letter from "bar", "care" and "cat". */
const shortest_word = 4;
/** What is typed for the shortest word when a letter of it is left out. */
const shortest_typed = shortest_word - 1;
const longest_typed = 32;
const most_words = 6;
/**
 * Of a word's near ones no more are looked at, the newest, since what is nearly a very common word is in very many
 * texts; and none when as many hold the word as it is, since those are better.
 */
const most_candidates = 100;
/** A shorter part of a word has no trigram: it is looked for as a whole word. */
const shortest_part = 3;

/** The words that were typed, in lower case; more than a few are not looked for. */
export function wordsOf(typed: string): string[] {
  const words = typed.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return [...new Set(words)].slice(0, most_words);
}

/** What is searched: rows of a table with an alias that meet a condition, and their text, as these stand in its indexes. */
export type Searched = { id: Sql; from: Sql; where: Sql; text: Sql };

/**
 * A predicate over the rows of a table that has two indexes on a text, one of its trigrams and one of its
 * `spelling_keys`: whether every word that was typed stands in it as a part, or stands there as a word of four letters
 * or more that differs from it by one letter (Levenshtein distance 1).
 * @param typed in lower case
 * @param common words that are in so many texts that no index is asked for them: they are looked for in what the others,
 *   or the caller, have chosen, and as they were typed
 */
export function matchSpelling(
  { id, from, where, text }: Searched,
  typed: string,
  common: ReadonlySet<string> = new Set(),
): Sql {
  const words = wordsOf(typed).map((word) => {
    // Words are letters and digits alone, so that they are themselves as a pattern. Text that is put together has no index.
    if (common.has(word)) return sql`(${text} || '') ~ ${[...word].length < shortest_part ? `\\m${word}\\M` : word}`;
    // A key that very many texts share leads to nobody in particular.
    const keys = spellingKeys(word).filter((key) => !common.has(key));
    const keyed = sql`${where} and spelling_keys(${text}) && ${keys}::text[]`;
    const length = [...word].length;
    // A word of one or two letters is its only key, so that nothing but itself has it.
    if (length < shortest_part) return sql`${id} = any(array(select ${id} from ${from} where ${keyed}))`;
    const pattern = `%${word}%`;
    if (length < shortest_typed || length > longest_typed) return sql`${text} like ${pattern}`;
    // Near ones are found once and before all, because keys are too dear to be made anew for each row that is looked at.
    // Keys find candidates; the patterns decide, since two words may share a key and be two letters apart.
    // Ordered by an expression, so that the order of the identifiers' own index is no way to read all rows by.
    return sql`(${text} like ${pattern} or ${id} = any(array(
      select candidate.id from (
        select ${id} as id, ${text} as text from ${from} where ${keyed} and ${text} not like ${pattern}
          and (select count(*) from (
            select 1 from ${from} where ${where} and ${text} like ${pattern} limit ${most_candidates}::int) exact) < ${most_candidates}::int
        order by ${id} || '' desc limit ${most_candidates}::int) candidate
      where exists (
        select 1 from regexp_split_to_table(candidate.text collate "default", '[^[:alnum:]]+') as word
        where length(word) >= ${shortest_word}::int and word like any(${neighbours(word)}::text[])))))`;
  });
  return words.length === 0 ? sql`false` : sql`(${join(words, ' and ')})`;
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
