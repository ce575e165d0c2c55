/** The target of a moved or resized occurrence, on this device's clock, and the resulting change of its series. */
import type { Span } from '../calendar-queries.ts';
import { addDays, daysBetween } from '../days.ts';
import { draftOf } from '../recurrence/series.ts';
import type { EventDraft, Scope } from '../recurrence/series.ts';
import type { Occurrence } from '../recurrence/occurrences.ts';
import { moveRule } from '../recurrence/recurrence-rules.ts';
import { localZone, momentAt, wallTimeAt } from '../zones.ts';

/** The step by which an event is moved, in minutes. */
export const STEP_MIN = 15;
const DAY_MIN = 1440;

const toWire = (moment_ms: number): string => new Date(moment_ms).toISOString().replace('.000', '');

/** The instant some minutes after midnight of a day here; may be on another day. */
function atMinute(day: string, minute: number): number {
  const date = addDays(day, Math.floor(minute / DAY_MIN));
  const rest = ((minute % DAY_MIN) + DAY_MIN) % DAY_MIN;
  const time = new Date(rest * 60_000).toISOString().slice(11, 16);
  return momentAt({ date, time }, localZone()).getTime();
}

/** Moves an occurrence to another day or start time, keeping its duration. */
export function moveTo(occurrence: Occurrence, day: string, begins_min = occurrence.begins_min): Span {
  const { event, starts_at, ends_at } = occurrence;
  if (event.all_day) return { starts_at: day, ends_at: addDays(day, daysBetween(starts_at, ends_at)) };
  const starts_ms = atMinute(day, begins_min);
  return { starts_at: toWire(starts_ms), ends_at: toWire(starts_ms + Date.parse(ends_at) - Date.parse(starts_at)) };
}

/** Resizes an occurrence to a duration in minutes, or in days for an all-day event; one step at least. */
export function resizeTo({ event, starts_at }: Occurrence, length_min: number): Span {
  if (event.all_day) return { starts_at, ends_at: addDays(starts_at, Math.max(1, Math.round(length_min / DAY_MIN))) };
  return { starts_at, ends_at: toWire(Date.parse(starts_at) + Math.max(STEP_MIN, length_min) * 60_000) };
}

/** The duration of a span, in minutes. */
export const lengthOf = ({ starts_at, ends_at }: Span): number =>
  Math.round((Date.parse(ends_at) - Date.parse(starts_at)) / 60_000);

const dayOf = ({ event }: Occurrence, at: string): string =>
  event.all_day ? at : wallTimeAt(Date.parse(at), event.timezone).date;

const ruleAfter = (occurrence: Occurrence, to: Span): string | undefined =>
  moveRule(occurrence.event.rrule ?? '', dayOf(occurrence, occurrence.starts_at), dayOf(occurrence, to.starts_at));

/** The possible scopes of a move: only one occurrence when the rule cannot be adapted. */
export function scopesOf(occurrence: Occurrence, to: Span): readonly Scope[] {
  return ruleAfter(occurrence, to) === undefined ? ['this'] : ['this', 'following', 'all'];
}

/** The request body after a move. */
export function draftAfter(occurrence: Occurrence, to: Span): EventDraft {
  const { event } = occurrence;
  const rrule = event.rrule === null ? null : (ruleAfter(occurrence, to) ?? event.rrule);
  return { ...draftOf(event), starts_at: to.starts_at, ends_at: to.ends_at, rrule };
}
