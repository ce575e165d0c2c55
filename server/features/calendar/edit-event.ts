import { CalendarEvent, presentEvent, requireOwnEvent } from '../../domain/calendar/events.ts';
import { removeUnentitledFromEvent } from '../../domain/calls/leave-places.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, optional, Type } from '../../kernel/schema.ts';
import { emitChanged } from './events.ts';
import { toSeconds } from '../../kernel/time.ts';
import { enqueueCheck, notifyPastDue } from './jobs.ts';
import { lockCalendar, lockEvent, updateEvent } from './queries.ts';
import { readDraft } from './rules/drafts.ts';
import { planAfter } from './rules/planning.ts';
import { EventPath, eventSettings, Title, WhenInput } from './schemas.ts';

export const editEvent = endpoint({
  id: 'editEvent',
  route: 'PATCH /calendar/events/{event_id}',
  summary: 'Edit an event',
  path: EventPath,
  body: object({
    title: optional(Title),
    starts_at: optional(WhenInput),
    ends_at: optional(WhenInput),
    ...eventSettings,
    revision: optional(
      Type.Integer({ minimum: 1, description: 'The edit is rejected if the event has a different revision.' }),
    ),
  }),
  reply: CalendarEvent,
  errors: ['forbidden', 'revision_conflict', 'plan_limit_reached'],
  async run({ path, body: { revision, ...input }, consume, ...change }) {
    const viewer = viewerOf(change);
    const [account_zone, , row] = await Promise.all([
      lockCalendar(change.db, viewer.id),
      lockEvent(change.db, path.event_id),
      requireOwnEvent(change.db, path.event_id, viewer.id),
    ]);
    if (revision !== undefined && revision !== row.revision) fail('revision_conflict');
    if (Object.keys(input).length === 0) return presentEvent(row, viewer);
    const draft = readDraft(input, account_zone, row);
    if (row.guests?.length) await consume('shared_update', viewer.id);
    await notifyPastDue(change, row);
    const plan = planAfter(draft, toSeconds(change.now));
    await updateEvent(change, row, draft, plan);
    if (row.call_enabled && !draft.call_enabled) await removeUnentitledFromEvent(change, row.id);
    const changed = await emitChanged(change, row.id, viewer.id);
    enqueueCheck(change, row.id, plan);
    return presentEvent(changed, viewer);
  },
});
