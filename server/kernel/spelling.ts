/** Near spellings: finding a word although one letter of it was typed wrongly, left out or put in. */
import { join, sql, type Sql } from './database.ts';

/** Shorter words have too many neighbours: "car" is one letter from "bar", "care" and "cat". */
const shortest_word = 4;
/** What is typed for the shortest word when a letter of it is left out. */
const shortest_typed = shortest_word - 1;
const longest_typed = 32;
const most_words = 6;

/**
 * A predicate over a text with a trigram index: whether every word that was typed stands in the text as it is, or
 * stands there as a word of four letters or more that differs from it by one letter (Levenshtein distance 1).
 * @param text the indexed expression, as it stands in the index
 * @param typed in lower case
 */
export function matchSpelling(text: Sql, typed: string): Sql {
  const words = typed.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const near = words.slice(0, most_words).map((word) => {
    if (word.length < shortest_typed || word.length > longest_typed) return sql`${text} ilike ${`%${word}%`}`;
    // The operator finds candidates by the index; the patterns decide.
    return sql`(${text} ilike ${`%${word}%`} or (${text} %> ${word} and exists (
      select 1 from regexp_split_to_table(lower(${text}), '[^[:alnum:]]+') as word
      where length(word) >= ${shortest_word}::int and word like any(${neighbours(word)}::text[]))))`;
  });
  return near.length === 0 ? sql`false` : sql`(${join(near, ' and ')})`;
}

/** A text as a pattern of LIKE that matches just it. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
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
