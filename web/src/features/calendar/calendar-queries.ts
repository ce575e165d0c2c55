import type { RealtimeStream, Reply } from '@asterism/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { hasCode } from '../../ui/problems/problem.ts';
import { addDays } from './days.ts';
import { localZone, momentAt } from './zones.ts';

/** An event as its owner or a guest sees it. */
export type CalendarEvent = Reply<'calendar', 'getEvent'>;
/** A start and an end in wire format: timestamps, or dates for an all-day event. */
export interface Span {
  starts_at: string;
  ends_at: string;
}

export const calendarKey = ['calendar'] as const;
const MAX_EVENTS = 500;

/** All events between two days, with their occurrences there. */
export const windowQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...calendarKey, 'window', from, to],
    queryFn: async ({ signal }) => {
      const zone = localZone();
      // All-day events have no time zone: one more day on both sides includes them wherever the reader is.
      const begin = momentAt({ date: addDays(from, -1), time: '00:00' }, zone).toISOString();
      const end = momentAt({ date: addDays(to, 1), time: '00:00' }, zone).toISOString();
      const events: CalendarEvent[] = [];
      for await (const event of sdk.calendar.listEvents.iterate({
        query: { from: begin, to: end, limit: 100 },
        signal,
      })) {
        events.push(event);
        if (events.length >= MAX_EVENTS) break;
      }
      return events;
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

/** One event. */
export const eventQuery = (event_id: string) =>
  queryOptions({
    queryKey: [...calendarKey, 'event', event_id],
    queryFn: ({ signal }) => sdk.calendar.getEvent({ path: { event_id }, signal }),
  });

/** The feed address for other calendars; null when it was revoked. */
export const feedQuery = queryOptions({
  queryKey: ['calendar-feed'],
  queryFn: async ({ signal }) => {
    try {
      return await sdk.calendar.getCalendarFeed({ signal });
    } catch (error) {
      if (hasCode(error, 'not_found')) return null;
      throw error;
    }
  },
});

/** Fetches everything shown of the calendar again. */
export function refetchCalendar(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: calendarKey });
}

/** Updates the calendar from the realtime stream. */
export function subscribeToCalendar(stream: RealtimeStream, queries: QueryClient): void {
  stream.on('calendar.changed', () => void refetchCalendar(queries));
}

/** The current or next occurrence of an event; null without one within a year. */
export const nextOccurrenceQuery = (event_id: string) =>
  queryOptions({
    queryKey: [...calendarKey, 'next', event_id],
    queryFn: async ({ signal }): Promise<Span | null> => {
      const now_ms = Date.now();
      const query = {
        from: new Date(now_ms).toISOString(),
        to: new Date(now_ms + 399 * 86_400_000).toISOString(),
        limit: 100,
      };
      for await (const event of sdk.calendar.listEvents.iterate({ query, signal }))
        if (event.id === event_id) return event.occurrences?.[0] ?? null;
      return null;
    },
  });
