/** Occurrences of events, laid out on the days of this device. */
import type { CalendarEvent, Span } from '../calendar-queries.ts';
import { addDays, daysBetween } from '../days.ts';
import { localZone, wallTimeAt } from '../zones.ts';

/** One occurrence of an event. */
export interface Occurrence extends Span {
  event: CalendarEvent;
  /** The first and the last day that it overlaps here. */
  first_day: string;
  last_day: string;
  /** Its start in minutes after midnight of the first day, and its duration in minutes; both 0 for an all-day event. */
  begins_min: number;
  length_min: number;
}

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** An occurrence in the time zone of this device. */
export function placeOccurrence(event: CalendarEvent, span: Span): Occurrence {
  if (event.all_day)
    return {
      event,
      ...span,
      first_day: span.starts_at,
      last_day: addDays(span.ends_at, -1),
      begins_min: 0,
      length_min: 0,
    };
  const zone = localZone();
  const [starts_ms, ends_ms] = [Date.parse(span.starts_at), Date.parse(span.ends_at)];
  const begins = wallTimeAt(starts_ms, zone);
  return {
    event,
    ...span,
    first_day: begins.date,
    // An event that ends at midnight does not overlap the next day.
    last_day: wallTimeAt(Math.max(starts_ms, ends_ms - 1), zone).date,
    begins_min: toMinutes(begins.time),
    length_min: Math.round((ends_ms - starts_ms) / 60_000),
  };
}

/** All occurrences of events, in order; all-day ones before timed ones. */
export function listOccurrences(events: readonly CalendarEvent[]): Occurrence[] {
  return events
    .flatMap((event) => (event.occurrences ?? [event]).map((span) => placeOccurrence(event, span)))
    .toSorted(
      (a, b) =>
        a.first_day.localeCompare(b.first_day) ||
        Number(b.event.all_day) - Number(a.event.all_day) ||
        a.begins_min - b.begins_min ||
        a.event.title.localeCompare(b.event.title),
    );
}

/** The occurrences that overlap a day. */
export const onDay = (occurrences: readonly Occurrence[], day: string): Occurrence[] =>
  occurrences.filter(({ first_day, last_day }) => first_day <= day && day <= last_day);

/** The position in a column of a day, in minutes after midnight. */
export interface Slot {
  occurrence: Occurrence;
  from_min: number;
  to_min: number;
  /** Its lane among overlapping occurrences, and the number of lanes. */
  lane: number;
  lanes: number;
}

const DAY_MIN = 1440;
/** The minimum height, so that short events can be read and pressed. */
const MIN_MIN = 30;

/** Lays out the timed occurrences of a day, side by side where they overlap. */
export function layOutDay(occurrences: readonly Occurrence[], day: string): Slot[] {
  const timed = onDay(occurrences, day).filter(({ event }) => !event.all_day);
  const slots = timed.map((occurrence): Slot => {
    const from_min = occurrence.begins_min - daysBetween(occurrence.first_day, day) * DAY_MIN;
    const to_min = Math.min(DAY_MIN, from_min + occurrence.length_min);
    const begin = Math.min(Math.max(0, from_min), DAY_MIN - MIN_MIN);
    return { occurrence, from_min: begin, to_min: Math.max(to_min, begin + MIN_MIN), lane: 0, lanes: 1 };
  });
  slots.sort((a, b) => a.from_min - b.from_min || b.to_min - a.to_min);
  let cluster: Slot[] = [];
  let cluster_end = 0;
  for (const slot of slots) {
    if (slot.from_min >= cluster_end) cluster = [];
    const taken = new Set(cluster.filter((other) => other.to_min > slot.from_min).map(({ lane }) => lane));
    while (taken.has(slot.lane)) slot.lane += 1;
    cluster.push(slot);
    cluster_end = Math.max(slot.to_min, cluster_end);
    const lanes = Math.max(...cluster.map(({ lane }) => lane)) + 1;
    for (const one of cluster) one.lanes = lanes;
  }
  return slots;
}

/** The colour of an event: gold for a call of a tag or everybody, green for shared ones, blue for the reader's own. */
export function colourOf(event: CalendarEvent): 'gold' | 'green' | 'blue' {
  if (event.call.enabled) return 'gold';
  return event.role === 'guest' || (event.share?.people.length ?? 0) > 0 ? 'green' : 'blue';
}
