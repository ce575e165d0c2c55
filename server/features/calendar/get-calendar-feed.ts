import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { change as inChange } from '../../kernel/services.ts';
import { lockCalendar } from './queries.ts';
import { createCalendarFeed, presentCalendarFeed, selectCalendarFeed } from './rules/feeds.ts';
import { CalendarFeed } from './schemas.ts';

export const getCalendarFeed = endpoint({
  id: 'getCalendarFeed',
  route: 'GET /calendar/feed',
  summary: 'Get your calendar feed',
  description: 'Created at the first request.',
  reply: CalendarFeed,
  errors: ['not_found'],
  async run({ caller: { user_id }, db, services }) {
    const known = await selectCalendarFeed(db, user_id);
    if (known?.sealed) return presentCalendarFeed({ services }, { ...known, sealed: known.sealed });
    if (known) fail('not_found');
    return inChange(services, async (change) => {
      await lockCalendar(change.db, user_id);
      // A concurrent request may have created it.
      const made = await selectCalendarFeed(change.db, user_id);
      if (made?.sealed) return presentCalendarFeed({ services }, { ...made, sealed: made.sealed });
      return made ? fail('not_found') : createCalendarFeed(change, user_id);
    });
  },
});
