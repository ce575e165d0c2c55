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

function readDigits(words: readonly string[], is_marked_as_time: boolean): Read<ClockTime> | undefined {
  const [, hours, minutes, glued] = /^(\d{1,2})(?:[:.h](\d\d))?(am|pm|a\.m\.?|p\.m\.?)?$/.exec(words[0] ?? '') ?? [];
  if (hours === undefined) return undefined;
  const half = halfOf(glued) ?? halfOf(words[1]);
  const taken = half && !glued ? 2 : 1;
  const [hour, minute] = [Number(hours), Number(minutes ?? 0)];
  if (!half && minutes === undefined && words[1] === "o'clock") return withOpen(hour, 0, 2);
  if (!half && minutes === undefined && !is_marked_as_time) return undefined;
  if (minute > 59) return undefined;
  if (half) return hour >= 1 && hour <= 12 ? closed((hour % 12) + (half === 'pm' ? 12 : 0), minute, taken) : undefined;
  if (hour > 23) return undefined;
  // With a leading zero, or beyond twelve, it is a 24-hour time.
  return hours.length === 2 && (hour < 10 || hour > 12) ? closed(hour, minute, 1) : withOpen(hour, minute, 1);
}

function readSpoken(words: readonly string[], is_marked_as_time: boolean): Read<ClockTime> | undefined {
  const [first = '', second, third = ''] = words;
  if (first === 'a' && second === 'quarter') {
    const read = readSpoken(words.slice(1), is_marked_as_time);
    return read && { ...read, taken: read.taken + 1 };
  }
  const minutes = first === 'half' ? 30 : first === 'quarter' ? 15 : numberOf(first);
  if (minutes !== undefined && (second === 'past' || second === 'to')) {
    const hour = numberOf(third) ?? -1;
    if (hour < 1 || hour > 12 || minutes < 1 || minutes > 30 || (second === 'to' && minutes === 30)) return undefined;
    const half = halfOf(words[3]);
    const taken = half ? 4 : 3;
    const at =
      second === 'past' ? { hour, minute: minutes } : { hour: hour === 1 ? 12 : hour - 1, minute: 60 - minutes };
    if (!half) return withOpen(at.hour, at.minute, taken);
    return closed((at.hour % 12) + (half === 'pm' ? 12 : 0), at.minute, taken);
  }
  const hour = first === 'a' || first === 'an' ? undefined : numberOf(first);
  if (hour === undefined || hour < 1 || hour > 12) return undefined;
  if (second === "o'clock") return withOpen(hour, 0, 2);
  const half = halfOf(second);
  if (half) return closed((hour % 12) + (half === 'pm' ? 12 : 0), 0, 2);
  return is_marked_as_time && /^[a-z]/.test(first) ? withOpen(hour, 0, 1) : undefined;
}

const closed = (hour: number, minute: number, taken: number): Read<ClockTime> => ({
  value: { hour, minute, is_open: false },
  taken,
});
const withOpen = (hour: number, minute: number, taken: number): Read<ClockTime> | undefined =>
  hour > 23 ? undefined : { value: { hour, minute, is_open: hour >= 1 && hour <= 12 }, taken };
