import { closeEvent } from '../../domain/calls/leave-places.ts';
import { requireOwnEvent } from '../../domain/calendar/events.ts';
import { clearEventNotifications } from '../../domain/notifications/clear-notifications.ts';
import { revokeLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { emitGone } from './events.ts';
import { lockEvent, removeEvent } from './queries.ts';
import { EventPath } from './schemas.ts';
import { selectGuests } from './rules/guests.ts';

export const deleteEvent = endpoint({
  id: 'deleteEvent',
  route: 'DELETE /calendar/events/{event_id}',
  summary: 'Delete an event',
  description: 'Also for everyone it is shared with, who leave its call unless they were called.',
  path: EventPath,
  errors: ['forbidden'],
  async run({ path: { event_id }, caller, ...change }) {
    const { db } = change;
    const [, , guests] = await Promise.all([
      lockEvent(db, event_id),
      requireOwnEvent(db, event_id, caller.user_id),
      selectGuests(db, event_id),
    ]);
    await clearEventNotifications(change, event_id);
    await closeEvent(change, event_id);
    await Promise.all([
      revokeLink(change, 'event', event_id),
      removeEvent(db, event_id),
      emitGone(
        change,
        [caller.user_id, ...guests].map((user_id) => ({ user_id, event_id })),
      ),
    ]);
  },
});
