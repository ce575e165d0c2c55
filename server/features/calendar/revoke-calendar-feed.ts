import { insertLink, revokeLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { lockCalendar } from './queries.ts';
import { selectCalendarFeed } from './rules/feeds.ts';

export const revokeCalendarFeed = endpoint({
  id: 'revokeCalendarFeed',
  route: 'DELETE /calendar/feed',
  summary: 'Revoke your calendar feed',
  async run({ caller: { user_id }, ...change }) {
    await lockCalendar(change.db, user_id);
    // A feed that was never created is revoked as well: only a regenerated one is valid from now on.
    if (!(await selectCalendarFeed(change.db, user_id)))
      await insertLink(change, { kind: 'feed', subject_id: user_id, owner_id: user_id });
    await revokeLink(change, 'feed', user_id);
  },
});
