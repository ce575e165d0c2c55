/** A series of events, and the effect of a change at one of its occurrences. */
import type { Input } from '@asterism/sdk';
import type { CalendarEvent, Span } from '../calendar-queries.ts';
import { addDays, daysBetween } from '../days.ts';
import { momentAt, wallTimeAt } from '../zones.ts';

/** The request body of an event. */
export type EventDraft = Input<'calendar', 'createEvent'>['body'];
/** The occurrences that an edit or a deletion applies to. */
export type Scope = 'this' | 'following' | 'all';

/** A change of an event, or of a part of a series. */
export interface Edit {
  event: CalendarEvent;
  /** The occurrence that the reader has opened. */
  from: Span;
  draft: EventDraft;
  scope: Scope;
}

/** A rule without some of its parts. */
export const without = (rule: string, ...dropped: string[]): string =>
  rule
    .split(';')
    .filter((part) => !dropped.includes(part.split('=')[0]?.toUpperCase() ?? ''))
    .join(';');

/** The rule of a series that ends before an occurrence. */
export function ruleUntil(event: CalendarEvent, from: Span): string {
  const rule = without(event.rrule ?? '', 'UNTIL', 'COUNT');
  const day = event.all_day ? from.starts_at : wallTimeAt(Date.parse(from.starts_at), event.timezone).date;
  if (!/FREQ=(SECOND|MINUTE|HOUR)LY/i.test(rule)) return `${rule};UNTIL=${addDays(day, -1).replaceAll('-', '')}`;
  const last = new Date(Date.parse(from.starts_at) - 1000).toISOString();
  return `${rule};UNTIL=${last.replace(/[-:]|\.\d+/g, '')}`;
}

/** All editable fields of an event, with their current values. */
export function draftOf(event: CalendarEvent): EventDraft {
  const { title, description, location, starts_at, ends_at, all_day, timezone, rrule, exdates, reminders } = event;
  const call = { enabled: event.call.enabled };
  return { title, description, location, starts_at, ends_at, all_day, timezone, rrule, exdates, reminders, call };
}

/** Moves a time by the difference of two others, on the wall clock of a zone; dates move by days. */
export function moveLike(at: string, from: string, to: string, zone: string): string {
  if (!at.includes('T')) return addDays(at, daysBetween(from, to));
  const wall_ms = (moment: string) => {
    const { date, time } = wallTimeAt(Date.parse(moment), zone);
    return Date.parse(`${date}T${time}:00Z`);
  };
  const moved = new Date(wall_ms(at) + wall_ms(to) - wall_ms(from)).toISOString();
  return toWire(momentAt({ date: moved.slice(0, 10), time: moved.slice(11, 16) }, zone).getTime());
}

const toWire = (moment_ms: number): string => new Date(moment_ms).toISOString().replace('.000', '');

/**
 * Moves a whole series as one of its occurrences was moved: its start, and its exceptions, which would reappear
 * otherwise.
 */
export function moveSeries({ event, from, draft }: Edit): EventDraft {
  const zone = draft.timezone ?? event.timezone;
  const is_moved = draft.starts_at !== from.starts_at || draft.ends_at !== from.ends_at;
  if (!is_moved) return { ...draft, starts_at: event.starts_at, ends_at: event.ends_at, exdates: event.exdates };
  if (event.all_day !== draft.all_day) return { ...draft, exdates: [] };
  const move = (at: string) => moveLike(at, from.starts_at, draft.starts_at, zone);
  const starts_at = move(event.starts_at);
  const ends_at = event.all_day
    ? addDays(starts_at, daysBetween(draft.starts_at, draft.ends_at))
    : toWire(Date.parse(starts_at) + Date.parse(draft.ends_at) - Date.parse(draft.starts_at));
  return { ...draft, starts_at, ends_at, exdates: event.exdates.map(move) };
}
