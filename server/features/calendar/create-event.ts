import { CalendarEvent, presentEvent } from '../../domain/calendar/events.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';
import { emitChanged } from './events.ts';
import { toSeconds } from '../../kernel/time.ts';
import { enqueueCheck } from './jobs.ts';
import { insertEvent, lockCalendar } from './queries.ts';
import { readDraft } from './rules/drafts.ts';
import { planAfter } from './rules/planning.ts';
import { eventSettings, Title, WhenInput } from './schemas.ts';

export const createEvent = endpoint({
  id: 'createEvent',
  route: 'POST /calendar/events',
  summary: 'Create an event',
  body: object({ title: Title, starts_at: WhenInput, ends_at: WhenInput, ...eventSettings }),
  reply: CalendarEvent,
  status: [201],
  errors: ['plan_limit_reached'],
  async run({ body, ...change }) {
    const viewer = viewerOf(change);
    const draft = readDraft(body, await lockCalendar(change.db, viewer.id));
    const plan = planAfter(draft, toSeconds(change.now));
    const id = change.id('evt');
    // The statements share a round trip; if the first fails, the others are rolled back.
    const [, row] = await Promise.all([
      insertEvent(change, id, viewer.id, draft, plan),
      emitChanged(change, id, viewer.id),
    ]);
    if (plan.next_check_s !== null) enqueueCheck(change, id, plan);
    return presentEvent(row, viewer);
  },
});
