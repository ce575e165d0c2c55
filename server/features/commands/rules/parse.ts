/**
 * The parser: from a text and the grammar to a command with its arguments, or the position where parsing failed. Pure.
 */
import { readDuration, type Duration } from './read-day.ts';
import { max_time_words, readTime, type TimeContext, type When } from './read-time.ts';
import type { Compiled, Form, Part } from './forms.ts';
import type { ArgumentType, CommandName } from './grammar.ts';
import { note, noteWord, startReach, the_end, type Reach, type Stop } from './stop.ts';
import { tokenise, type Token } from './tokens.ts';
import { default_limits } from '../../../kernel/load/limits.ts';

/** The target in a text, before it is looked up. */
export type Named =
  | { kind: 'tag' | 'user' | 'phone' | 'id'; text: string; start: number; end: number }
  | {
      kind: 'name';
      text: string;
      start: number;
      end: number;
      /** Longer candidate names, each with the rest of the text. */
      longer: { text: string; rest: string }[];
    };

export type Value =
  | { type: 'named'; named: Named[] }
  | { type: 'text'; text: string }
  | { type: 'time'; when: When }
  | { type: 'duration'; duration: Duration }
  | { type: 'command'; parsed: Parsed; text: string };

export type Parsed = {
  name: CommandName;
  /** The index of the matched form. */
  form: number;
  values: Record<string, Value>;
};

/** The maximum of words in a name, and of targets in a list. */
const max_name_words = 6;
const max_targets = default_limits.call_targets;
const max_depth = 2;

type Grammar = readonly Compiled[];
type Work = {
  text: string;
  tokens: Token[];
  grammar: Grammar;
  context: TimeContext;
  depth: number;
  reach: Reach;
};

/** Parses a text. @returns the command, or the position where parsing failed */
export function parseCommand(
  text: string,
  grammar: Grammar,
  context: TimeContext,
): { parsed: Parsed } | { stop: Stop } {
  const tokens = tokenise(text);
  const reach = startReach();
  const work: Work = { text, tokens, grammar, context, depth: 0, reach };
  const parsed = parseRange(work, 0, tokens.length);
  if (parsed) return { parsed };
  const stopped = tokens[reach.far];
  const at = stopped?.start ?? text.length;
  return { stop: { at, end: stopped?.end ?? text.length, expected: [...reach.expected], words: reach.words } };
}

/** Parses tokens as one complete command. */
function parseRange(work: Work, from: number, to: number): Parsed | undefined {
  const first = work.tokens[from]?.folded;
  for (const { command, forms } of work.grammar) {
    for (const [form, parts] of forms.entries()) {
      const [head] = parts;
      if (!head || !('word' in head)) continue;
      if (head.word !== first) {
        noteWord(work.reach, from, head.word);
        continue;
      }
      const values: Record<string, Value> = {};
      if (matchParts(work, parts, 0, from, to, values)) return { name: command.name as CommandName, form, values };
    }
  }
  return undefined;
}

function matchParts(
  work: Work,
  form: Form,
  at: number,
  from: number,
  to: number,
  values: Record<string, Value>,
): boolean {
  const part = form[at];
  if (!part) {
    if (from < to) note(work.reach, from, the_end);
    return from === to;
  }
  if ('word' in part) {
    const is_here = from < to && work.tokens[from]?.folded === part.word && !work.tokens[from]?.quoted;
    if (is_here && matchParts(work, form, at + 1, from + 1, to, values)) return true;
    if (!is_here) noteWord(work.reach, Math.min(from, to), part.word);
    return part.optional && matchParts(work, form, at + 1, from, to, values);
  }
  if (from >= to) {
    note(work.reach, from, part.type);
    return part.optional && matchParts(work, form, at + 1, from, to, values);
  }
  for (const end of endsOf(work, form, at, from, to)) {
    const value =
      part.type === 'time'
        ? readWhen(work, form[at - 1], from, end)
        : readArgument(work, part.type, from, end, form[at + 1] !== undefined && isTextNext(form, at + 1), to);
    if (!value) {
      note(work.reach, from, part.type);
      continue;
    }
    values[part.argument] = value;
    if (matchParts(work, form, at + 1, end, to, values)) return true;
    delete values[part.argument];
  }
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
function endsOf(work: Work, form: Form, at: number, from: number, to: number): number[] {
  const part = form[at] as Extract<Part, { type: ArgumentType }>;
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

/**
 * The number of tokens of a target: several for a phone number, otherwise one; longer names are tried when people are
 * looked up.
 */
function lengthOfTarget(tokens: readonly Token[], from: number, to: number): number {
  if (!tokens[from]?.folded.startsWith('+')) return 1;
  let end = from + 1;
  while (end < to && end < from + 6 && /^[\d().-]{2,}$/.test(tokens[end]?.folded ?? '')) end += 1;
  return end - from;
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

function readArgument(
  work: Work,
  type: ArgumentType,
  from: number,
  to: number,
  open: boolean,
  end: number,
): Value | undefined {
  const { tokens, text } = work;
  const some = tokens.slice(from, to);
  const [first] = some;
  const last = some.at(-1);
  if (!first || !last) return undefined;
  if (type === 'text')
    return {
      type: 'text',
      text: some.length === 1 && first.quoted ? first.text : text.slice(first.start).slice(0, last.end - first.start),
    };
  if (type === 'duration') {
    const read = readDuration(some.map(({ folded }) => folded));
    return read && read.taken === some.length ? { type: 'duration', duration: read.value } : undefined;
  }
  if (type === 'command') {
    if (work.depth >= max_depth) return undefined;
    const parsed = parseRange({ ...work, depth: work.depth + 1, reach: startReach() }, from, to);
    return parsed && { type: 'command', parsed, text: text.slice(first.start, last.end) };
  }
  if (type === 'job')
    return isIdentifier(first.folded, 'job') && some.length === 1 ? { type: 'text', text: first.folded } : undefined;
  if (type === 'address') return some.length <= 6 ? readAddress(some) : undefined;
  if (type === 'targets') return readTargets(some);
  const named = readNamed(type === 'tag' && some.length === 1 ? asTag(first) : first, some, text);
  if (!named) return undefined;
  if (type === 'tag' && named.kind !== 'tag') return undefined;
  if (open && named.kind === 'name' && !first.quoted) named.longer = longerNames(work, from, end);
  return { type: 'named', named: [named] };
}

/** Where only a tag is possible, its sigil may be omitted. */
const asTag = (token: Token): Token =>
  /^[a-z0-9_-]{2,32}$/.test(token.folded) && !token.quoted ? { ...token, folded: `*${token.folded}` } : token;

const isIdentifier = (word: string, prefix: string): boolean =>
  new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`).test(word);

function readNamed(first: Token, some: readonly Token[], text: string): Named | undefined {
  const last = some.at(-1) ?? first;
  const place = { start: first.start, end: last.end };
  if (some.length === 1 && !first.quoted) {
    const tag = /^\*([a-z0-9_-]{2,32})$/.exec(first.folded)?.[1];
    if (tag) return { kind: 'tag', text: tag, ...place };
    const user = /^@([a-z0-9_.]{3,30})$/.exec(first.folded)?.[1];
    if (user) return { kind: 'user', text: user, ...place };
    if (['usr', 'con', 'grp'].some((prefix) => isIdentifier(first.folded, prefix)))
      return { kind: 'id', text: first.folded, ...place };
  }
  const digits = some.map(({ folded }) => folded).join('');
  if (/^\+?[\d().-]{6,20}$/.test(digits) && /\d{5}/.test(digits.replaceAll(/\D/g, '')))
    return { kind: 'phone', text: digits, ...place };
  if (some.length > max_name_words || /^[*@:,]/.test(first.folded) || first.text === '') return undefined;
  const name = some.length === 1 ? first.text : text.slice(first.start, last.end);
  return { kind: 'name', text: name, ...place, longer: [] };
}

/** Longer candidate names, with the rest of the text. */
function longerNames({ tokens, text }: Work, from: number, end: number): { text: string; rest: string }[] {
  const last = tokens[end - 1];
  const longer: { text: string; rest: string }[] = [];
  for (let at = from + 1; at < Math.min(from + max_name_words, end - 1); at++) {
    const [first, token, next] = [tokens[from], tokens[at], tokens[at + 1]];
    if (!first || !token || !next || !last || token.quoted || /^[,:]$/.test(token.folded)) break;
    longer.push({ text: text.slice(first.start, token.end), rest: text.slice(next.start, last.end) });
  }
  return longer;
}

/** Targets separated by commas and "and". A name that contains "and" must be quoted. */
function readTargets(some: readonly Token[]): Value | undefined {
  const named: Named[] = [];
  let begin = 0;
  for (let at = 0; at <= some.length; at++) {
    const token = some[at];
    const is_mark = token && !token.quoted && [',', 'and', '&'].includes(token.folded);
    if (token && !is_mark) continue;
    const one = some.slice(begin, at);
    begin = at + 1;
    // ", and"
    if (one.length === 0 && named.length > 0 && token) continue;
    const [first] = one;
    const read = first && readNamed(first, one, one.map(({ text }) => text).join(' '));
    if (!first || !read) return undefined;
    const last = one.at(-1) ?? first;
    if (read.kind === 'name') read.text = one.map(({ text }) => text).join(' ');
    named.push({ ...read, start: first.start, end: last.end });
  }
  return named.length > 0 && named.length <= max_targets ? { type: 'named', named } : undefined;
}

/** An e-mail address or a phone number. */
function readAddress(some: readonly Token[]): Value | undefined {
  const joined = some.map(({ text }) => text).join('');
  if (some.length === 1 && /^(\*[a-z0-9_-]{2,32}|[^\s@<>*]+@(?:[^\s@<>.]+\.)+[^\s@<>.]+)$/i.test(joined))
    return { type: 'text', text: joined };
  return /^\+?[\d().-]{6,20}$/.test(joined) ? { type: 'text', text: joined } : undefined;
}
