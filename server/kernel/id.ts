/** Identifiers: a type prefix and a time-ordered rest, so that they sort by age in byte order. */
import { createRandomPool } from './security/random-pool.ts';
import type { Clock } from './time.ts';

/** Crockford's base 32 in lower case: no ambiguous letters, and in byte order. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const time_length = 10;
const random_length = 16;

/** The prefix of an identifier, which names the type of its object. */
export type IdPrefix =
  | 'usr'
  | 'ses'
  | 'im'
  | 'msg'
  | 'post'
  | 'reply'
  | 'like'
  | 'tag'
  | 'file'
  | 'freq'
  | 'con'
  | 'imp'
  | 'grp'
  | 'ginv'
  | 'conf'
  | 'part'
  | 'leg'
  | 'rec'
  | 'chat'
  | 'evt'
  | 'wid'
  | 'inv'
  | 'job'
  | 'rpt'
  | 'lnk'
  | 'cmt'
  | 'thr'
  | 'dm'
  | 'note'
  | 'reg'
  | 'log'
  | 'mob'
  | 'req'
  | 'out'
  | 'fol'
  | 'blk'
  | 'mute'
  | 'room'
  | 'view'
  | 'gst';

/** Generates the identifier of a new object. */
export type GenerateId = (prefix: IdPrefix) => string;

/**
 * Creates the identifiers of one process: 48 bits of the service's time in milliseconds and 80 random bits (the layout
 * of a ULID). Within one millisecond, and while the clock is behind the last identifier, the random part is
 * incremented, so that identifiers sort in the order in which they were created.
 */
export function createIds(clock: Clock): GenerateId {
  const draw = createRandomPool();
  let last_ms = -1;
  let digits: number[] = [];
  return (prefix) => {
    const now_ms = clock.now().getTime();
    if (now_ms > last_ms) digits = Array.from(draw(random_length), (byte) => byte & 31);
    // If the clock has not advanced or has stepped back, the last time is used again and the random part incremented.
    else increment(digits);
    last_ms = Math.max(last_ms, now_ms);
    let text = encodeTime(last_ms);
    for (const digit of digits) text += alphabet.charAt(digit);
    return `${prefix}_${text}`;
  };
}

function encodeTime(ms: number): string {
  let text = '';
  for (let at = 0, rest = ms; at < time_length; at++, rest = Math.floor(rest / 32)) {
    text = alphabet.charAt(rest % 32) + text;
  }
  return text;
}

/** The smallest identifier of a kind that can have been created at a time or later, for index ranges. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encodeTime(at.getTime())}${alphabet.charAt(0).repeat(random_length)}`;
}

/** A text that follows an identifier and precedes all later ones, for index ranges. */
export const idAfter = (id: string): string => `${id}0`;

function increment(digits: number[]): void {
  for (let at = digits.length - 1; at >= 0; at--) {
    const next = ((digits[at] ?? 0) + 1) & 31;
    digits[at] = next;
    if (next !== 0) return;
  }
}

/** The pattern of identifiers of one kind, for schemas. */
export function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`;
}

/** The prefixes that an identifier pattern accepts; empty for any other pattern. */
export function prefixesOf(pattern: string): string[] {
  const prefixes = pattern.split('|').map((one) => /^\^([a-z]+)_/.exec(one)?.[1] as IdPrefix | undefined);
  const is_of_ids = prefixes.map((one) => one && idPattern(one)).join('|') === pattern;
  return is_of_ids ? prefixes.filter((one) => one !== undefined) : [];
}

/** Whether a text is an identifier of a kind; the kind is the part before the underscore. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return new RegExp(idPattern(prefix)).test(text);
}

/** When an identifier was created, from its first 48 bits; the epoch for a text that is not an identifier. */
export function timeOfId(id: string): Date {
  const time = /_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/.exec(id)?.[1] ?? '';
  let ms = 0;
  for (const digit of time) ms = ms * 32 + alphabet.indexOf(digit);
  return new Date(ms);
}
