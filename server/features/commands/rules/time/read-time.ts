/**
 * Parses English phrases to times: collects the parts of a phrase, which `resolve-time.ts` turns into an instant. Clock
 * and time zone are parameters, so that the result is the same on every server.
 */
import { isTimeZone } from '../../../../domain/recurrence/zones.ts';
import { readClock, type Read } from './read-clock.ts';
import { readDay, readDuration, readRepetition } from './read-day.ts';
import { resolveTime, type ParsedTime, type TimeContext, type When } from './resolve-time.ts';
import { day_parts, zoneOf } from './time-words.ts';

/** The maximum of words in a phrase. */
export const max_time_words = 14;
const fillers = new Set(['at', '@', 'on', 'the', 'by', ',', 'of', 'around', 'starting', 'from']);

/**
 * The instant that a phrase means.
 * @param words in lower case, with commas as separate words
 * @returns undefined when they are not a time
 */
export function readTime(words: readonly string[], { now, timezone }: TimeContext): When | undefined {
  if (words.length === 0 || words.length > max_time_words) return undefined;
  const parsed: ParsedTime = {};
  for (let at = 0; at < words.length;) {
    const taken = readNext(words.slice(at), words[at - 1], parsed);
    if (taken === 0) return undefined;
    at += taken;
  }
  const zone = parsed.zone ?? timezone;
  if (parsed.moment)
    return Object.keys(parsed).length === 1 ? { at: parsed.moment, timezone: zone, rrule: undefined } : undefined;
  return resolveTime(parsed, { now, timezone: zone });
}

/** Keeps a part unless there is one of its kind already; returns the number of words consumed. */
type Keep = <K extends keyof ParsedTime>(
  name: K,
  read: Read<NonNullable<ParsedTime[K]>> | undefined,
  extra?: number,
) => number;

/** Parses one part; returns the number of words consumed, 0 for an unknown or repeated part. */
function readNext(words: readonly string[], before: string | undefined, parsed: ParsedTime): number {
  const [first = ''] = words;
  const keep: Keep = (name, read, extra = 0) => {
    if (!read || parsed[name] !== undefined) return 0;
    parsed[name] = read.value;
    return read.taken + extra;
  };
  const taken =
    readDurationAt(words, keep) ||
    keep('moment', readInstant(first)) ||
    keep('repetition', readRepetition(words)) ||
    keep('day', readDay(words)) ||
    readPartAt(words, parsed, keep) ||
    keep('clock', readClock(words, isMarkedAsTime(words, before, parsed)));
  if (taken > 0) return taken;
  const zone = zoneOf(first);
  if (zone && isTimeZone(zone)) return keep('zone', { value: nameOf(zone), taken: 1 }, words[1] === 'time' ? 1 : 0);
  return fillers.has(first) && words.length > 1 ? 1 : 0;
}

/**
 * Whether a bare number is a time: after "at" or a day, or before a part of the day ("8 in the morning", "9 at night").
 */
function isMarkedAsTime(
  [, second, third, fourth = '']: readonly string[],
  before: string | undefined,
  parsed: ParsedTime,
): boolean {
  if (['at', '@', 'by', 'around'].includes(before ?? '') || parsed.day !== undefined) return true;
  return second === 'in' && third === 'the' ? Object.hasOwn(day_parts, fourth) : second === 'at' && third === 'night';
}

/** The canonical name of a zone. */
const nameOf = (zone: string): string => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;

/** "in 5 minutes", "2 hours from now". */
function readDurationAt(words: readonly string[], keep: Keep): number {
  if (words[0] === 'in' || words[0] === 'after') return keep('duration', readDuration(words.slice(1)), 1);
  const read = readDuration(words);
  if (!read) return 0;
  const [next, then] = words.slice(read.taken);
  if (`${next} ${then}` === 'from now') return keep('duration', read, 2);
  return next === 'later' ? keep('duration', read, 1) : 0;
}

/** A part of the day: "tonight", "midnight", "in the morning". */
function readPartAt(words: readonly string[], parsed: ParsedTime, keep: Keep): number {
  const [first = '', second = '', third = ''] = words;
  if (first === 'tonight' && !parsed.day) {
    parsed.day = { kind: 'in_days', days: 0 };
    return keep('part', { value: { hour: 20, is_late: true }, taken: 1 });
  }
  if (first === 'midnight') return keep('is_midnight', { value: true, taken: 1 });
  if (first === 'eod' || (first === 'end' && second === 'of' && third === 'day'))
    return keep('part', { value: { hour: 17, is_late: true }, taken: first === 'eod' ? 1 : 3 });
  const in_the = first === 'in' && second === 'the';
  const name = in_the ? third : first === 'this' ? second : first;
  if (!Object.hasOwn(day_parts, name)) return 0;
  if (first === 'this') {
    if (parsed.day) return 0;
    parsed.day = { kind: 'in_days', days: 0 };
  }
  return keep('part', {
    value: day_parts[name] as NonNullable<ParsedTime['part']>,
    taken: in_the ? 3 : first === 'this' ? 2 : 1,
  });
}

/** An instant in RFC 3339 format, with its offset. */
function readInstant(word: string): Read<Date> | undefined {
  if (!/^\d{4}-\d\d-\d\dt\d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d:\d\d)$/.test(word)) return undefined;
  const value = new Date(word.toUpperCase());
  return Number.isNaN(value.getTime()) ? undefined : { value, taken: 1 };
}
