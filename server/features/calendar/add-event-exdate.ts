import { CalendarEvent, presentEvent, requireOwnEvent, scheduleOf } from '../../domain/calendar/events.ts';
import { occurrenceAt } from '../../domain/recurrence/schedule.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { object } from '../../kernel/schema.ts';
import { emitChanged } from './events.ts';
import { toSeconds } from '../../kernel/time.ts';
import { enqueueCheck, notifyPastDue, planned } from './jobs.ts';
import { lockEvent, setExceptions } from './queries.ts';
import { readException } from './rules/drafts.ts';
import { planAfter } from './rules/planning.ts';
import { EventPath, WhenInput } from './schemas.ts';

export const addEventExdate = endpoint({
  id: 'addEventExdate',
  route: 'POST /calendar/events/{event_id}/exdates',
  summary: 'Add an exception date to an event',
  description: 'The occurrence on that date is cancelled.',
  path: EventPath,
  body: object({ starts_at: WhenInput }),
  reply: CalendarEvent,
  errors: ['forbidden'],
  async run({ path, body, consume, ...change }) {
    const { db, now } = change;
    const viewer = viewerOf(change);
    const [, row] = await Promise.all([lockEvent(db, path.event_id), requireOwnEvent(db, path.event_id, viewer.id)]);
    const schedule = scheduleOf(row);
    const name = readException('starts_at', body.starts_at, row.all_day, row.timezone);
    if (schedule.exdates.includes(name)) return presentEvent(row, viewer);
    if (!occurrenceAt(schedule, name)) invalid({ starts_at: 'is not an occurrence of this event' });
    if (schedule.exdates.length >= default_limits.event_exdates)
      invalid({ starts_at: 'cannot be added: the event has too many exceptions. Change its rule instead' });
    if (row.guests?.length) await consume('shared_update', viewer.id);
    // The new check replaces that of a reminder which is due already.
    await notifyPastDue(change, row);
    const exdates = [...schedule.exdates, name].sort();
    const event = { schedule: { ...schedule, exdates }, reminders: row.reminders, call_enabled: row.call_enabled };
    const plan = planAfter(event, toSeconds(now));
    const { next_starts_at, next_check_at } = planned(plan);
    const [, changed] = await Promise.all([
      setExceptions(db, row.id, exdates, { next_starts_at, next_check_at }, now),
      emitChanged(change, row.id, viewer.id),
    ]);
    enqueueCheck(change, row.id, plan);
    return presentEvent(changed, viewer);
  },
});
