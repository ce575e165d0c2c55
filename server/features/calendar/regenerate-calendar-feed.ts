import { revokeLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { lockCalendar } from './queries.ts';
import { createCalendarFeed } from './rules/feeds.ts';
import { CalendarFeed } from './schemas.ts';

export const regenerateCalendarFeed = endpoint({
  id: 'regenerateCalendarFeed',
  route: 'POST /calendar/feed/regenerate',
  summary: 'Regenerate your calendar feed',
  description: 'A new address replaces the old one.',
  reply: CalendarFeed,
  status: [201],
  async run({ caller: { user_id }, ...change }) {
    await lockCalendar(change.db, user_id);
    await revokeLink(change, 'feed', user_id);
    return createCalendarFeed(change, user_id);
  },
});
