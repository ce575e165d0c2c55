/**
 * The parser: from a text and the grammar to a command with its arguments, or the position where parsing failed. Pure.
 */
import { readDuration, type Duration } from './time/read-day.ts';
import { max_time_words, readTime } from './time/read-time.ts';
import type { TimeContext, When } from './time/resolve-time.ts';
import type { CompiledCommand, Form, Part } from './forms.ts';
import type { ArgumentType, CommandName } from './grammar.ts';
import {
  asTag,
  isIdentifier,
  lengthOfTarget,
  longerNames,
  max_name_words,
  readAddress,
  readNamed,
  readTargets,
  type Named,
} from './read-targets.ts';
import {
  recordExpected,
  recordExpectedWord,
  startExpectations,
  end_of_text,
  type Expectations,
  type ParseFailure,
} from './parse-failure.ts';
import { tokenise, type Token } from './tokens.ts';

/** The value of an argument. */
export type Value =
  | { type: 'named'; named: Named[] }
  | { type: 'text'; text: string }
  | { type: 'time'; when: When }
  | { type: 'duration'; duration: Duration }
  | { type: 'command'; parsed: Parsed; text: string };

/** A text as a command with its arguments. */
export type Parsed = {
  name: CommandName;
  /** The index of the matched form. */
  form: number;
  values: Record<string, Value>;
};

/** How deeply commands may contain other commands. */
const max_depth = 2;

type Grammar = readonly CompiledCommand[];
type Argument = Extract<Part, { type: ArgumentType }>;
type Work = {
  text: string;
  tokens: Token[];
  grammar: Grammar;
  context: TimeContext;
  depth: number;
  expectations: Expectations;
};

/** Parses a text. @returns the command, or the position where parsing failed */
export function parseCommand(
  text: string,
  grammar: Grammar,
  context: TimeContext,
): { parsed: Parsed } | { failure: ParseFailure } {
  const tokens = tokenise(text);
  const expectations = startExpectations();
  const work: Work = { text, tokens, grammar, context, depth: 0, expectations };
  const parsed = parseRange(work, 0, tokens.length);
  if (parsed) return { parsed };
  const stopped = tokens[expectations.furthest];
  const at = stopped?.start ?? text.length;
  return {
    failure: { at, end: stopped?.end ?? text.length, expected: [...expectations.expected], words: expectations.words },
  };
}

/** Parses tokens as one complete command. */
function parseRange(work: Work, from: number, to: number): Parsed | undefined {
  const first = work.tokens[from]?.folded;
  for (const { command, forms } of work.grammar) {
    for (const [form, parts] of forms.entries()) {
      const [head] = parts;
      if (!head || !('word' in head)) continue;
      if (head.word !== first) {
        recordExpectedWord(work.expectations, from, head.word);
        continue;
      }
      const values: Record<string, Value> = {};
      if (matchParts({ work, form: parts, to, values }, 0, from))
        return { name: command.name as CommandName, form, values };
    }
  }
  return undefined;
}

/** A form that is being matched: its parts, the token before which it has to end, and the values found so far. */
type Match = { work: Work; form: Form; to: number; values: Record<string, Value> };

/** Whether the tokens from one on are the parts of a form from one on; tries every end that an argument may have. */
function matchParts(match: Match, at: number, from: number): boolean {
  const { work, form, to } = match;
  const part = form[at];
  if (!part) {
    if (from < to) recordExpected(work.expectations, from, end_of_text);
    return from === to;
  }
  const isWithoutIt = () => part.optional && matchParts(match, at + 1, from);
  if ('word' in part) {
    const is_here = from < to && work.tokens[from]?.folded === part.word && !work.tokens[from]?.quoted;
    if (is_here && matchParts(match, at + 1, from + 1)) return true;
    if (!is_here) recordExpectedWord(work.expectations, Math.min(from, to), part.word);
    return isWithoutIt();
  }
  if (from >= to) {
    recordExpected(work.expectations, from, part.type);
    return isWithoutIt();
  }
  return endsOf(match, at, from).some((end) => matchArgument(match, { at, from, end }));
}

/** Whether an argument is between two tokens, and the other parts are behind it. */
function matchArgument(match: Match, { at, from, end }: { at: number; from: number; end: number }): boolean {
  const { work, form, to, values } = match;
  const part = form[at] as Argument;
  const value =
    part.type === 'time'
      ? readWhen(work, form[at - 1], from, end)
      : readArgument(work, part.type, { from, to: end, is_open: isTextNext(form, at + 1), end: to });
  if (!value) {
    recordExpected(work.expectations, from, part.type);
    return false;
  }
  values[part.argument] = value;
  if (matchParts(match, at + 1, end)) return true;
  delete values[part.argument];
  return false;
}

/** Words of a form that belong to the time that follows them, as a time says them: "at 9", "in 5 minutes". */
const time_words: Readonly<Record<string, string>> = {
  at: 'at',
  on: 'on',
  in: 'in',
  tomorrow: 'tomorrow',
  for: 'at',
  until: 'at',
};

/** A time, with the word of the form before it: after "at", a bare number is one. */
function readWhen({ tokens, context }: Work, previous: Part | undefined, from: number, to: number): Value | undefined {
  if (to - from > max_time_words) return undefined;
  const words = tokens.slice(from, to).map(({ folded }) => folded);
  const before = previous && 'word' in previous ? time_words[previous.word] : undefined;
  const when = (before === undefined ? undefined : readTime([before, ...words], context)) ?? readTime(words, context);
  return when && { type: 'time', when };
}

/** Whether unmarked words follow: then a name may have more than one word. */
function isTextNext(form: Form, at: number): boolean {
  const part = form[at];
  if (!part) return false;
  if ('word' in part) return part.optional && isTextNext(form, at + 1);
  return part.type === 'text';
}

/** Where an argument may end: few positions, so that parsing is fast for every text. */
function endsOf({ work, form, to }: Match, at: number, from: number): number[] {
  const part = form[at] as Argument;
  const rest = form.slice(at + 1).filter(({ optional }) => !optional);
  if (form.length === at + 1) return [to];
  if (part.type === 'time' || part.type === 'duration') return countDown(Math.min(to, from + max_time_words), from + 1);
  const [next] = rest;
  if (next && 'word' in next) return placesOf(work, next.word, from + 1, to);
  // Before a time, a text or a command ends as early as possible: the time is as long as possible.
  if (part.type === 'text' || part.type === 'command' || part.type === 'name')
    return countUp(Math.max(from + 1, to - max_time_words), to - 1);
  const colon = work.tokens.findIndex(
    (token, index) => index > from && index <= from + max_name_words && index < to && token.folded === ':',
  );
  if (colon > 0) return [colon];
  return [from + lengthOfTarget(work.tokens, from, to)];
}

const countDown = (from: number, to: number) =>
  Array.from({ length: Math.max(0, from - to + 1) }, (_, at) => from - at);
const countUp = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);

/** The positions of a word, last first, and only a few. */
function placesOf({ tokens }: Work, word: string, from: number, to: number): number[] {
  const places: number[] = [];
  for (let at = to - 1; at >= from && places.length < 8; at--) if (tokens[at]?.folded === word) places.push(at);
  return places;
}

/** Tokens that may be an argument, and up to where a name may have more words: `end`, if `is_open`. */
type Span = { from: number; to: number; is_open: boolean; end: number };

/** Reads an argument of a type from tokens; undefined when they are none. */
function readArgument(work: Work, type: ArgumentType, span: Span): Value | undefined {
  const some = work.tokens.slice(span.from, span.to);
  const [first] = some;
  const last = some.at(-1);
  if (!first || !last) return undefined;
  switch (type) {
    case 'text':
      return { type: 'text', text: some.length === 1 && first.quoted ? first.text : textBetween(work, first, last) };
    case 'duration': {
      const read = readDuration(some.map(({ folded }) => folded));
      return read && read.taken === some.length ? { type: 'duration', duration: read.value } : undefined;
    }
    case 'command': {
      if (work.depth >= max_depth) return undefined;
      const nested = { ...work, depth: work.depth + 1, expectations: startExpectations() };
      const parsed = parseRange(nested, span.from, span.to);
      return parsed && { type: 'command', parsed, text: textBetween(work, first, last) };
    }
    case 'job':
      return some.length === 1 && isIdentifier(first.folded, 'job') ? { type: 'text', text: first.folded } : undefined;
    case 'address': {
      const address = some.length <= 6 ? readAddress(some) : undefined;
      return address === undefined ? undefined : { type: 'text', text: address };
    }
    case 'targets': {
      const named = readTargets(some);
      return named && { type: 'named', named };
    }
    default:
      return readTarget(work, type, some, span);
  }
}

const textBetween = ({ text }: Work, first: Token, last: Token): string => text.slice(first.start, last.end);

function readTarget(work: Work, type: ArgumentType, some: Token[], { from, end, is_open }: Span): Value | undefined {
  const first = some[0] as Token;
  const named = readNamed(type === 'tag' && some.length === 1 ? asTag(first) : first, some, work.text);
  if (!named || (type === 'tag' && named.kind !== 'tag')) return undefined;
  if (is_open && named.kind === 'name' && !first.quoted) named.longer = longerNames(work, from, end);
  return { type: 'named', named: [named] };
}
