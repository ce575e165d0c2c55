import { CalendarEvent, presentEvent, upcomingEvents } from '../../domain/calendar/events.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import type { Queryable } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { ApiError } from '../../kernel/errors.ts';
import { readPart } from '../../kernel/http/operation.ts';
import { component, listOf, nullable, object, Type } from '../../kernel/schema.ts';
import { parts, replyOf, Unread, unread_parts, type Part } from './rules/parts.ts';

const max_events = 5;

export const Home = component(
  'Home',
  object({
    me: replyOf(parts.me),
    unread: Unread,
    active_call: nullable(replyOf(parts.active_call)),
    grid: replyOf(parts.grid),
    groups: replyOf(parts.groups),
    feed: replyOf(parts.feed),
    upcoming_events: listOf(CalendarEvent),
    scheduled_jobs: replyOf(parts.scheduled_jobs),
    subscription: replyOf(parts.subscription),
    last_event_id: Type.String({
      description: 'A stream resumed from here misses nothing that is not in this response.',
    }),
  }),
);

export const getHome = endpoint({
  id: 'getHome',
  route: 'GET /home',
  summary: 'Get your home page',
  description:
    'All of its parts in one request. Each is the answer of its operation: `feed` with `limit=10`, `scheduled_jobs` with `state=scheduled&limit=5`.',
  reply: Home,
  async run({ ...input }) {
    // Read before the parts: events during the reads are delivered again rather than missed.
    const last_event_id = input.services.realtime.headId();
    // All statements are issued before the first is awaited, so that they share one round trip.
    return input.services.db.together(async (db) => {
      const read = ({ endpoint: part, query }: Part) => readPart(part, input, db, query);
      const unread = Object.entries(unread_parts).map(async ([name, part]) => {
        const { count } = (await read(part)) as { count: number };
        return [name, count] as const;
      });
      const [me, active_call, grid, groups, feed, scheduled_jobs, subscription, upcoming_events, counts] =
        await Promise.all([
          read(parts.me),
          read(parts.active_call).catch(notFoundAsNull),
          read(parts.grid),
          read(parts.groups),
          read(parts.feed),
          read(parts.scheduled_jobs),
          read(parts.subscription),
          readEvents(db, input),
          Promise.all(unread),
        ]);
      const waiting = Object.fromEntries(counts) as Record<keyof typeof unread_parts, number>;
      const plans = { upcoming_events, scheduled_jobs };
      return { me, unread: waiting, active_call, grid, groups, feed, ...plans, subscription, last_event_id };
    });
  },
});

/** A part that does not exist is null, and does not fail the request. */
function notFoundAsNull(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
}

/** Current and upcoming events, each with its current or next occurrence. */
async function readEvents(db: Queryable, input: Parameters<typeof viewerOf>[0]) {
  const viewer = viewerOf(input);
  const rows = await upcomingEvents(db, viewer.id, input.now, max_events + 1);
  const items = rows.slice(0, max_events).map(({ row, occurrence }) => presentEvent(row, viewer, [occurrence]));
  return { items, has_more: rows.length > max_events };
}
