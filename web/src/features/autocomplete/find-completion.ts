/** What is being typed and can be completed: a name such as `@be` or `*ja`, or an emoji such as `:pizz`. */
export interface Completion {
  /** The character that starts it. */
  readonly trigger: '@' | '*' | ':';
  /** What follows the trigger; empty at first. */
  readonly q: string;
  /** The range of the text that is replaced, with the trigger. */
  readonly from: number;
  readonly to: number;
}

/** The longest name that is looked for; usernames and names of tags are shorter. */
const MAX_LETTERS = 32;
/** Where the service finds a name, with letters of all languages: people are also looked for by their displayed name. */
const NAME_BEFORE = new RegExp(String.raw`(?<![\p{L}\p{N}_@*/.-])([@*])([\p{L}\p{N}_.-]{0,${MAX_LETTERS}})$`, 'u');
const NAME_AFTER = /^[\p{L}\p{N}_.-]*/u;
/** At least two letters: `:D` and `:p` are smileys. Words of a name may be joined by an underscore. */
const EMOJI_BEFORE = new RegExp(
  String.raw`(?<![\p{L}\p{N}:*_/.-])(:)(\p{L}[\p{L}\p{M}\p{N}_-]{1,${MAX_LETTERS}})$`,
  'u',
);
const EMOJI_AFTER = /^[\p{L}\p{M}\p{N}_-]*:?/u;

/** What can be completed at the caret of a text; undefined when nothing can. */
export function findCompletion(text: string, caret: number): Completion | undefined {
  // The longest text of a completion, its trigger, and the character before, which tells whether a word begins there.
  const before = text.slice(Math.max(0, caret - MAX_LETTERS - 3), caret);
  const name = NAME_BEFORE.exec(before);
  const found = name ?? EMOJI_BEFORE.exec(before);
  if (found === null) return undefined;
  const [, trigger, q = ''] = found;
  const after = (name === null ? EMOJI_AFTER : NAME_AFTER).exec(text.slice(caret, caret + MAX_LETTERS));
  return {
    trigger: trigger as Completion['trigger'],
    q,
    from: caret - q.length - 1,
    to: caret + (after?.[0].length ?? 0),
  };
}
