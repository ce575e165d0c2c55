/** A name that is being typed: `@be`, `*ja`. */
export interface TypedMention {
  readonly sigil: '@' | '*';
  /** What follows the sigil; empty at first. */
  readonly q: string;
  /** The range of the text that the name takes, with its sigil. */
  readonly from: number;
  readonly to: number;
}

/** The longest name that is looked for; usernames and names of tags are shorter. */
const MAX_LETTERS = 32;
/** Where the service finds a name, with letters of all languages: people are also looked for by their displayed name. */
const BEFORE = new RegExp(String.raw`(?<![\p{L}\p{N}_@*/.-])([@*])([\p{L}\p{N}_.-]{0,${MAX_LETTERS}})$`, 'u');
const AFTER = /^[\p{L}\p{N}_.-]*/u;

/** The name at the caret of a text; undefined when no name is being typed there. */
export function findMention(text: string, caret: number): TypedMention | undefined {
  // One character more than the longest name and its sigil, by which a name does not begin within a word.
  const found = BEFORE.exec(text.slice(Math.max(0, caret - MAX_LETTERS - 2), caret));
  if (found === null) return undefined;
  const [, sigil, q = ''] = found;
  const rest = AFTER.exec(text.slice(caret, caret + MAX_LETTERS))?.[0].length ?? 0;
  return { sigil: sigil as '@' | '*', q, from: caret - q.length - 1, to: caret + rest };
}
