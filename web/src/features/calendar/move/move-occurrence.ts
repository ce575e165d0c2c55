/** Where an occurrence is to be: moved or resized on the clock of this device, and what that asks of its series. */
import type { Span } from '../calendar-queries.ts';
import { addDays, daysBetween } from '../days.ts';
import { draftOf } from '../recurrence/series.ts';
import type { EventDraft, Scope } from '../recurrence/series.ts';
import type { Occurrence } from '../recurrence/occurrences.ts';
import { moveRule } from '../recurrence/recurrence-rules.ts';
import { localZone, momentAt, wallTimeAt } from '../recurrence/zones.ts';

export const STEP_MIN = 15;
const DAY_MIN = 1440;

const toWire = (moment_ms: number): string => new Date(moment_ms).toISOString().replace('.000', '');

/** The moment some minutes after the midnight of a day here; they may be of another day. */
function atMinute(day: string, minute: number): number {
  const date = addDays(day, Math.floor(minute / DAY_MIN));
  const rest = ((minute % DAY_MIN) + DAY_MIN) % DAY_MIN;
  const time = new Date(rest * 60_000).toISOString().slice(11, 16);
  return momentAt({ date, time }, localZone()).getTime();
}

/** An occurrence that begins on another day, or at another minute after its midnight; it lasts as long as before. */
export function moveTo(occurrence: Occurrence, day: string, begins_min = occurrence.begins_min): Span {
  const { event, starts_at, ends_at } = occurrence;
  if (event.all_day) return { starts_at: day, ends_at: addDays(day, daysBetween(starts_at, ends_at)) };
  const starts_ms = atMinute(day, begins_min);
  return { starts_at: toWire(starts_ms), ends_at: toWire(starts_ms + Date.parse(ends_at) - Date.parse(starts_at)) };
}

/** An occurrence that lasts some minutes, or days where it lasts whole days; a step is the least. */
export function resizeTo({ event, starts_at }: Occurrence, length_min: number): Span {
  if (event.all_day) return { starts_at, ends_at: addDays(starts_at, Math.max(1, Math.round(length_min / DAY_MIN))) };
  return { starts_at, ends_at: toWire(Date.parse(starts_at) + Math.max(STEP_MIN, length_min) * 60_000) };
}

/** How long a span lasts, in minutes. */
export const lengthOf = ({ starts_at, ends_at }: Span): number =>
  Math.round((Date.parse(ends_at) - Date.parse(starts_at)) / 60_000);

const dayOf = ({ event }: Occurrence, at: string): string =>
  event.all_day ? at : wallTimeAt(Date.parse(at), event.timezone).date;

const ruleAfter = (occurrence: Occurrence, to: Span): string | undefined =>
  moveRule(occurrence.event.rrule ?? '', dayOf(occurrence, occurrence.starts_at), dayOf(occurrence, to.starts_at));

/** Which of a series may move: one alone where the rule cannot follow. */
export function scopesOf(occurrence: Occurrence, to: Span): readonly Scope[] {
  return ruleAfter(occurrence, to) === undefined ? ['this'] : ['this', 'following', 'all'];
}

/** The event as it is sent after a move. */
export function draftAfter(occurrence: Occurrence, to: Span): EventDraft {
  const { event } = occurrence;
  const rrule = event.rrule === null ? null : (ruleAfter(occurrence, to) ?? event.rrule);
  return { ...draftOf(event), starts_at: to.starts_at, ends_at: to.ends_at, rrule };
}
