/**
 * Parses ICU MessageFormat: `{name}`, `{count, plural, one {…} other {…}}`, selectordinal and select. The library's own
 * parser is three times as large as the rest of the library, too large for the first page.
 */
import type { i18n } from '@lingui/core';

/** The library's format: text, names of values, and choices by a value. */
type Token = string | [name: string] | [name: string, kind: string, choices: Record<string, Tokens>];
type Tokens = Token[];
type Compiler = Parameters<typeof i18n.setMessagesCompiler>[0];

const HEAD = /\{\s*(\w+)\s*(?:(\})|,\s*(plural|selectordinal|select)\s*,)/y;
const CHOICE = /\s*(=\d+|\w+)\s*\{/y;
const END = /\s*\}/y;
/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

class MessageReader {
  at = 0;
  readonly text: string;
  readonly is_right_to_left: boolean;
  constructor(text: string) {
    this.text = text;
    this.is_right_to_left = RIGHT_TO_LEFT.test(text);
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  /** The text up to the end of the message or of its choice; `#` is the number only within a plural choice. */
  readTokens(in_number: boolean): Tokens {
    const tokens: Tokens = [];
    for (;;) {
      const [words] = this.take(in_number ? /[^{}#]*/y : /[^{}]*/y) ?? [''];
      if (words !== '') tokens.push(words);
      const next = this.text[this.at];
      if (next === undefined || next === '}') return tokens;
      if (next === '#') {
        this.at++;
        tokens.push('#');
      } else tokens.push(...this.readValue());
    }
  }

  /**
   * A value, or a choice by it. In a right-to-left message a value is isolated, as by `<bdi>`: a name in another script
   * keeps its own order (`*jazz`, and not `jazz*`) and does not determine the direction of the whole.
   */
  readValue(): Tokens {
    const [, name, end, kind] = this.take(HEAD) ?? [];
    if (name === undefined) throw new SyntaxError(`No value at ${this.at} of the message: ${this.text}`);
    if (end !== undefined || kind === undefined) return this.is_right_to_left ? ['\u2068', [name], '\u2069'] : [[name]];
    const choices: Record<string, Tokens> = {};
    for (let choice = this.take(CHOICE); choice !== null; choice = this.take(CHOICE)) {
      // The library expects an exact number without the `=`.
      choices[(choice[1] ?? '').replace('=', '')] = this.readTokens(kind !== 'select');
      if (this.take(END) === null) throw new SyntaxError(`A choice has no end: ${this.text}`);
    }
    if (this.take(END) === null || choices['other'] === undefined)
      throw new SyntaxError(`A choice needs "other" and an end: ${this.text}`);
    return [[name, kind, choices]];
  }
}

const known = new Map<string, Tokens>();

/** A message in the library's format. @throws SyntaxError when it is malformed */
export const parseMessage = ((message: string) => {
  if (!/[{}]/.test(message)) return message;
  const found = known.get(message);
  if (found !== undefined) return found;
  const reader = new MessageReader(message);
  const tokens = reader.readTokens(false);
  if (reader.at !== message.length) throw new SyntaxError(`An end without a beginning: ${message}`);
  known.set(message, tokens);
  return tokens;
}) as Compiler;
