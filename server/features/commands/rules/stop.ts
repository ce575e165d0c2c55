/** Where parsing stopped: the furthest position reached, and what was expected there. */

/** Where parsing stopped, and what was expected; positions in UTF-16 units. */
export type Stop = {
  at: number;
  end: number;
  expected: string[];
  /** The expected items that are words of the grammar, not kinds of arguments. */
  words: ReadonlySet<string>;
};

/** Expected where nothing more may follow. */
export const the_end = 'the end';

/** The furthest token, and what was expected instead. */
export type Reach = { far: number; expected: Set<string>; words: Set<string> };
export const startReach = (): Reach => ({ far: 0, expected: new Set(), words: new Set() });

/** Records what was expected at the furthest position. */
export function note(reach: Reach, at: number, expected: string, is_word = false): void {
  if (at > reach.far) {
    reach.far = at;
    reach.expected.clear();
    reach.words.clear();
  }
  if (at !== reach.far) return;
  reach.expected.add(expected);
  if (is_word) reach.words.add(expected);
}

/** Records that a word was expected; the colon before a text is optional. */
export const noteWord = (reach: Reach, at: number, word: string): void =>
  word === ':' ? note(reach, at, 'text') : note(reach, at, word, true);
