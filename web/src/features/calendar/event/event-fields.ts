/** The fields of the event form, and their conversion to the wire format. */
import type { EventDraft } from '../recurrence/series.ts';
import type { CalendarEvent, Span } from '../calendar-queries.ts';
import { addDays, daysBetween } from '../days.ts';
import { localZone, momentAt, wallTimeAt } from '../zones.ts';
import type { WallTime } from '../zones.ts';

/** The state of the event form: times on the wall clock of its zone; the last day of an all-day event is inclusive. */
export interface EventFields {
  title: string;
  description: string;
  location: string;
  all_day: boolean;
  from: WallTime;
  to: WallTime;
  timezone: string;
  rrule: string | null;
  reminders: readonly number[];
  call: boolean;
}

const toWall = (date: string, minutes: number): WallTime => {
  const day = addDays(date, Math.floor(minutes / 1440));
  const rest = ((minutes % 1440) + 1440) % 1440;
  return { date: day, time: new Date(rest * 60_000).toISOString().slice(11, 16) };
};

/** A new event on a day of this device, starting some minutes after midnight. */
export function newFields(day: string, from_min = nextHour(), length_min = 60): EventFields {
  return {
    title: '',
    description: '',
    location: '',
    all_day: false,
    from: toWall(day, from_min),
    to: toWall(day, from_min + length_min),
    timezone: localZone(),
    rrule: null,
    reminders: [10],
    call: false,
  };
}

/** The next full hour, in minutes after midnight. */
function nextHour(): number {
  const hour = Number(wallTimeAt(Date.now(), localZone()).time.slice(0, 2));
  return Math.min(hour + 1, 23) * 60;
}

/** The fields of an existing event, at one of its occurrences. */
export function fieldsOf(event: CalendarEvent, span: Span): EventFields {
  const { title, all_day, timezone, rrule } = event;
  const wall = (at: string, shift: number): WallTime =>
    all_day ? { date: addDays(at, shift), time: '09:00' } : wallTimeAt(Date.parse(at), timezone);
  return {
    title,
    description: event.description ?? '',
    location: event.location ?? '',
    all_day,
    from: wall(span.starts_at, 0),
    to: all_day ? { ...wall(span.ends_at, -1), time: '10:00' } : wall(span.ends_at, 0),
    timezone,
    rrule,
    reminders: event.reminders.map(({ minutes_before }) => minutes_before),
    call: event.call.enabled,
  };
}

const order = ({ date, time }: WallTime): string => `${date} ${time}`;

/** Whether its end is not after its start. */
export function isBackward({ all_day, from, to }: EventFields): boolean {
  return all_day ? to.date < from.date : order(to) <= order(from);
}

/** Changes the start and keeps the duration. */
export function moveStart(fields: EventFields, from: WallTime): Partial<EventFields> {
  const minutes = ({ date, time }: WallTime) =>
    daysBetween(fields.from.date, date) * 1440 + Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  const length_min = Math.max(minutes(fields.to) - minutes(fields.from), 0);
  return { from, to: toWall(fields.from.date, minutes(from) + length_min) };
}

/** The request body. */
export function toDraft(fields: EventFields): EventDraft {
  const { all_day, from, to, timezone, rrule } = fields;
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  const wire = (wall: WallTime) => momentAt(wall, timezone).toISOString().replace('.000', '');
  return {
    title: fields.title.trim(),
    description: orNull(fields.description),
    location: orNull(fields.location),
    all_day,
    timezone,
    starts_at: all_day ? from.date : wire(from),
    ends_at: all_day ? addDays(to.date, 1) : wire(to),
    rrule,
    reminders: fields.reminders.map((minutes_before) => ({ minutes_before })),
    call: { enabled: fields.call },
  };
}
