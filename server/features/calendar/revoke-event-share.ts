import { requireOwnEvent } from '../../domain/calendar/events.ts';
import { revokeLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { emitChanged } from './events.ts';
import { lockEvent } from './queries.ts';
import { removeGuests, selectGuests } from './rules/guests.ts';
import { EventPath } from './schemas.ts';

export const revokeEventShare = endpoint({
  id: 'revokeEventShare',
  route: 'DELETE /calendar/events/{event_id}/share',
  summary: 'Stop sharing an event',
  description: 'Its public link stops working and people lose access; they leave its call unless they were called.',
  path: EventPath,
  errors: ['forbidden'],
  async run({ path: { event_id }, caller, ...change }) {
    const { db } = change;
    const [, , guests] = await Promise.all([
      lockEvent(db, event_id),
      requireOwnEvent(db, event_id, caller.user_id),
      selectGuests(db, event_id),
    ]);
    const was_public = await revokeLink(change, 'event', event_id);
    await removeGuests(change, event_id, guests);
    if (was_public || guests.length > 0) await emitChanged(change, event_id, caller.user_id);
  },
});
