/**
 * The occurrences of an event in a window. They are cached, since a client shows the same month again and again. They
 * depend on nothing but the schedule and the window, which are the key, so that no entry becomes stale.
 */
import {
  max_occurrences,
  occurrencesIn,
  writeOccurrence,
  type Occurrence,
  type Schedule,
} from '../../../domain/recurrence/schedule.ts';
import type { Steps } from '../../../domain/recurrence/recurrence.ts';
import { createRowCache } from '../../../kernel/row-cache.ts';

/** A window in seconds since 1970. */
export type Window = { from_s: number; to_s: number };

/** Occurrences as JSON, and how many there are. */
type Written = { text: string; count: number };

type Entry = { first_s: number | undefined; written: Written | undefined; key_length: number };

/** The maximum of cached text in characters. */
const max_cached = 8_000_000;
/** What an entry needs besides its texts. */
const entry_size = 200;

const cache = createRowCache<Entry>(
  max_cached,
  ({ key_length, written }) => entry_size + key_length + (written?.text.length ?? 0),
);

function keyOf(schedule: Schedule, { from_s, to_s }: Window): string {
  const { starts_s, ends_s, all_day, timezone, rrule, rule_end_s, exdates } = schedule;
  return `${from_s} ${to_s} ${starts_s} ${ends_s} ${all_day} ${timezone} ${rrule} ${rule_end_s} ${exdates.join()}`;
}

/** When the first occurrence in a window starts; undefined without one. @param steps as for `occurrencesIn` */
export function firstStart(services: object, schedule: Schedule, window: Window, steps: Steps): number | undefined {
  const key = keyOf(schedule, window);
  const known = cache.get(services, key);
  if (known) return known.first_s;
  const first_s = occurrencesIn(schedule, window.from_s, window.to_s, 1, steps)[0]?.starts_s;
  // Without steps left it may have been found too early.
  if (steps.left > 0) cache.set(services, key, { first_s, written: undefined, key_length: key.length });
  return first_s;
}

/** The occurrences in a window as JSON. @param steps as for `occurrencesIn` */
export function writeOccurrences(services: object, schedule: Schedule, window: Window, steps: Steps): Written {
  const key = keyOf(schedule, window);
  const known = cache.get(services, key)?.written;
  if (known) return known;
  const found = occurrencesIn(schedule, window.from_s, window.to_s, max_occurrences, steps);
  const written = { text: `[${found.map((one) => writeOne(schedule, one)).join()}]`, count: found.length };
  if (steps.left > 0) cache.set(services, key, { first_s: found[0]?.starts_s, written, key_length: key.length });
  return written;
}

/** Dates and times have no characters that JSON escapes. */
function writeOne(schedule: Schedule, one: Occurrence): string {
  const { starts_at, ends_at } = writeOccurrence(schedule, one);
  return `{"starts_at":"${starts_at}","ends_at":"${ends_at}"}`;
}
