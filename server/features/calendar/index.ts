import { calendarChanged } from '../../domain/calendar/events.ts';
import { feature } from '../../kernel/endpoint.ts';
import { ackCalendarSync } from './ack-calendar-sync.ts';
import { addEventExdate } from './add-event-exdate.ts';
import { createEvent } from './create-event.ts';
import { deleteEvent } from './delete-event.ts';
import { editEvent } from './edit-event.ts';
import { getCalendarFeed } from './get-calendar-feed.ts';
import { getEvent } from './get-event.ts';
import { emitDue } from './jobs.ts';
import { calendarLifecycle } from './lifecycle.ts';
import { listEvents } from './list-events.ts';
import { regenerateCalendarFeed } from './regenerate-calendar-feed.ts';
import { revokeCalendarFeed } from './revoke-calendar-feed.ts';
import { revokeEventShare } from './revoke-event-share.ts';
import { shareEvent } from './share-event.ts';
import { syncCalendar } from './sync-calendar.ts';

export const calendar = feature({
  area: 'calendar',
  title: 'Calendar',
  endpoints: [
    listEvents,
    createEvent,
    getEvent,
    editEvent,
    deleteEvent,
    addEventExdate,
    shareEvent,
    revokeEventShare,
    getCalendarFeed,
    revokeCalendarFeed,
    regenerateCalendarFeed,
    syncCalendar,
    ackCalendarSync,
  ],
  events: [calendarChanged],
  jobs: [emitDue],
  lifecycle: calendarLifecycle,
});
