/** Parses times of day: 5pm, 17:30, half past five, noon. */
import { numberOf } from './time-words.ts';

/** A time of day. `is_open` means that it is unknown whether it is before or after noon. */
export type ClockTime = { hour: number; minute: number; is_open: boolean };

/** The result, and the number of words consumed. */
export type Read<T> = { value: T; taken: number };

const halves = /^(?:(am|a\.m\.?)|(pm|p\.m\.?))$/;

function halfOf(word: string | undefined): 'am' | 'pm' | undefined {
  const [, am, pm] = halves.exec(word ?? '') ?? [];
  return am ? 'am' : pm ? 'pm' : undefined;
}

/**
 * A time of day at the beginning of some words.
 * @param is_marked_as_time whether the context, such as the word "at", marks a bare number as a time
 */
export function readClock(words: readonly string[], is_marked_as_time: boolean): Read<ClockTime> | undefined {
  return readDigits(words, is_marked_as_time) ?? readSpoken(words, is_marked_as_time);
}

/** "5pm", "17:30", "5 o'clock". */
function readDigits(words: readonly string[], is_marked_as_time: boolean): Read<ClockTime> | undefined {
  const [, hours, minutes, glued] = /^(\d{1,2})(?:[:.h](\d\d))?(am|pm|a\.m\.?|p\.m\.?)?$/.exec(words[0] ?? '') ?? [];
  if (hours === undefined) return undefined;
  const half = halfOf(glued) ?? halfOf(words[1]);
  const taken = half && !glued ? 2 : 1;
  const [hour, minute] = [Number(hours), Number(minutes ?? 0)];
  if (!half && minutes === undefined && words[1] === "o'clock") return withOpen(hour, 0, 2);
  if (!half && minutes === undefined && !is_marked_as_time) return undefined;
  if (minute > 59) return undefined;
  if (half) return isBetween(hour, 1, 12) ? inHalf(hour, minute, half, taken) : undefined;
  if (hour > 23) return undefined;
  // With a leading zero, or beyond twelve, it is a 24-hour time.
  return hours.length === 2 && (hour < 10 || hour > 12) ? closed(hour, minute, 1) : withOpen(hour, minute, 1);
}

/** "half past five", "a quarter to six pm", "five o'clock", "five pm". */
function readSpoken(words: readonly string[], is_marked_as_time: boolean): Read<ClockTime> | undefined {
  if (words[0] === 'a' && words[1] === 'quarter') {
    const read = readPast(words.slice(1));
    return read && { ...read, taken: read.taken + 1 };
  }
  return ['past', 'to'].includes(words[1] ?? '') ? readPast(words) : readHour(words, is_marked_as_time);
}

/** Minutes past or to an hour. */
function readPast([first = '', second, third = '', fourth]: readonly string[]): Read<ClockTime> | undefined {
  const minutes = first === 'half' ? 30 : first === 'quarter' ? 15 : numberOf(first);
  const hour = numberOf(third);
  if (minutes === undefined || !isBetween(minutes, 1, 30) || hour === undefined || !isBetween(hour, 1, 12))
    return undefined;
  const half = halfOf(fourth);
  const taken = half ? 4 : 3;
  if (second === 'past') return half ? inHalf(hour, minutes, half, taken) : withOpen(hour, minutes, taken);
  if (second !== 'to' || minutes === 30) return undefined;
  const before = hour === 1 ? 12 : hour - 1;
  return half ? inHalf(before, 60 - minutes, half, taken) : withOpen(before, 60 - minutes, taken);
}

/** A whole hour. */
function readHour([first = '', second]: readonly string[], is_marked_as_time: boolean): Read<ClockTime> | undefined {
  const hour = first === 'a' || first === 'an' ? undefined : numberOf(first);
  if (hour === undefined || !isBetween(hour, 1, 12)) return undefined;
  if (second === "o'clock") return withOpen(hour, 0, 2);
  const half = halfOf(second);
  if (half) return inHalf(hour, 0, half, 2);
  return is_marked_as_time && /^[a-z]/.test(first) ? withOpen(hour, 0, 1) : undefined;
}

const isBetween = (value: number, min: number, max: number): boolean => value >= min && value <= max;

/** A time in the morning or the afternoon; twelve is the first hour of each. */
const inHalf = (hour: number, minute: number, half: 'am' | 'pm', taken: number): Read<ClockTime> =>
  closed((hour % 12) + (half === 'pm' ? 12 : 0), minute, taken);

const closed = (hour: number, minute: number, taken: number): Read<ClockTime> => ({
  value: { hour, minute, is_open: false },
  taken,
});
const withOpen = (hour: number, minute: number, taken: number): Read<ClockTime> | undefined =>
  hour > 23 ? undefined : { value: { hour, minute, is_open: hour >= 1 && hour <= 12 }, taken };
