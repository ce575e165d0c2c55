import { CalendarEvent, presentEvent, requireEvent } from '../../domain/calendar/events.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { EventPath } from './schemas.ts';

export const getEvent = endpoint({
  id: 'getEvent',
  route: 'GET /calendar/events/{event_id}',
  summary: 'Get an event',
  extension: true,
  path: EventPath,
  reply: CalendarEvent,
  async run({ path, ...input }) {
    const viewer = viewerOf(input);
    return presentEvent(await requireEvent(input.db, path.event_id, viewer.id), viewer);
  },
});
