import type { CalendarEvent, Span } from '../calendar-queries.ts';
import { addDays, daysBetween } from '../days.ts';

/** The occurrence of an event that starts at a time, or on a day; it is as long as the first one. */
export function spanAt(event: Pick<CalendarEvent, 'all_day' | 'starts_at' | 'ends_at'>, at: string): Span {
  if (event.all_day) return { starts_at: at, ends_at: addDays(at, daysBetween(event.starts_at, event.ends_at)) };
  const length_ms = Date.parse(event.ends_at) - Date.parse(event.starts_at);
  const ends_at = new Date(Date.parse(at) + length_ms).toISOString().replace('.000', '');
  return { starts_at: at, ends_at };
}
