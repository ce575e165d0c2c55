/** Where a text stops being understood: the place that was reached farthest, and what was expected there. */

/** Where a text stopped being understood, and what would have been there; places in UTF-16 units. */
export type Stop = {
  at: number;
  end: number;
  expected: string[];
  /** Which of what was expected are words of the grammar, and not kinds of arguments. */
  words: ReadonlySet<string>;
};

/** What is expected where nothing more may come. */
export const the_end = 'the end';

/** The token that was reached, and what was expected in its place. */
export type Reach = { far: number; expected: Set<string>; words: Set<string> };
export const startReach = (): Reach => ({ far: 0, expected: new Set(), words: new Set() });

/** Keeps what was expected at the place that was reached farthest. */
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

/** Keeps that a word was expected; a colon stands before a text, which may do without it. */
export const noteWord = (reach: Reach, at: number, word: string): void =>
  word === ':' ? note(reach, at, 'text') : note(reach, at, word, true);
