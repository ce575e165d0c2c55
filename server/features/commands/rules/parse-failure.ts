/** Where parsing stopped: the furthest position reached, and what was expected there. */

/** Where parsing stopped, and what was expected; positions in UTF-16 units. */
export type ParseFailure = {
  at: number;
  end: number;
  expected: string[];
  /** The expected items that are words of the grammar, not kinds of arguments. */
  words: ReadonlySet<string>;
};

/** Expected where nothing more may follow. */
export const end_of_text = 'the end';

/** The furthest token, and what was expected instead. */
export type Expectations = { furthest: number; expected: Set<string>; words: Set<string> };
/** Nothing was expected yet. */
export const startExpectations = (): Expectations => ({ furthest: 0, expected: new Set(), words: new Set() });

/** Records what was expected at the furthest position. */
export function recordExpected(expectations: Expectations, at: number, expected: string, is_word = false): void {
  if (at > expectations.furthest) {
    expectations.furthest = at;
    expectations.expected.clear();
    expectations.words.clear();
  }
  if (at !== expectations.furthest) return;
  expectations.expected.add(expected);
  if (is_word) expectations.words.add(expected);
}

/** Records that a word was expected; the colon before a text is optional. */
export const recordExpectedWord = (expectations: Expectations, at: number, word: string): void =>
  word === ':' ? recordExpected(expectations, at, 'text') : recordExpected(expectations, at, word, true);
