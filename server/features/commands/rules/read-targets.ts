/** The targets in a command: people, tags, groups, phones and addresses, as they are written. */
import { default_limits } from '../../../kernel/load/limits.ts';
import type { Token } from './tokens.ts';

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

/** The maximum of words in a name. */
export const max_name_words = 6;
/** The maximum of targets in a list. */
const max_targets = default_limits.call_targets;

/**
 * The number of tokens of a target: several for a phone number, otherwise one; longer names are tried when people are
 * looked up.
 */
export function lengthOfTarget(tokens: readonly Token[], from: number, to: number): number {
  if (!tokens[from]?.folded.startsWith('+')) return 1;
  let end = from + 1;
  while (end < to && end < from + 6 && /^[\d().-]{2,}$/.test(tokens[end]?.folded ?? '')) end += 1;
  return end - from;
}

/** Where only a tag is possible, its sigil may be omitted. */
export const asTag = (token: Token): Token =>
  /^[a-z0-9_-]{2,32}$/.test(token.folded) && !token.quoted ? { ...token, folded: `*${token.folded}` } : token;

/** Whether a word is an identifier with a prefix, such as `usr_…`. */
export const isIdentifier = (word: string, prefix: string): boolean =>
  new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`).test(word);

/**
 * One target: a tag, a user, an identifier or a number by its form, else a name of one or several words.
 * @param text the whole command
 */
export function readNamed(first: Token, some: readonly Token[], text: string): Named | undefined {
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
export function longerNames(
  { tokens, text }: { tokens: readonly Token[]; text: string },
  from: number,
  end: number,
): { text: string; rest: string }[] {
  const last = tokens[end - 1];
  const longer: { text: string; rest: string }[] = [];
  for (let at = from + 1; at < Math.min(from + max_name_words, end - 1); at++) {
    const [first, token, next] = [tokens[from], tokens[at], tokens[at + 1]];
    if (!first || !token || !next || !last || token.quoted || /^[,:]$/.test(token.folded)) break;
    longer.push({ text: text.slice(first.start, token.end), rest: text.slice(next.start, last.end) });
  }
  return longer;
}

/** Targets separated by commas and "and"; undefined when one is none. A name that contains "and" must be quoted. */
export function readTargets(some: readonly Token[]): Named[] | undefined {
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
  return named.length > 0 && named.length <= max_targets ? named : undefined;
}

/** An e-mail address, a phone number or a tag with its sigil, as typed. */
export function readAddress(some: readonly Token[]): string | undefined {
  const joined = some.map(({ text }) => text).join('');
  if (some.length === 1 && /^(\*[a-z0-9_-]{2,32}|[^\s@<>*]+@(?:[^\s@<>.]+\.)+[^\s@<>.]+)$/i.test(joined)) return joined;
  return /^\+?[\d().-]{6,20}$/.test(joined) ? joined : undefined;
}
