import { type EventRow, scheduleOf } from '../../domain/calendar/events.ts';
import { notify } from '../../domain/notifications/notify.ts';
import { job } from '../../kernel/job.ts';
import { type Change, change as inChange, type Services } from '../../kernel/services.ts';
import { toSeconds } from '../../kernel/time.ts';
import { dueBetween, planAfter, type Due, type Plan, type Planned } from './rules/planning.ts';
import { lockForCheck, recordNotified, selectOverdue, selectVisibleGuests, setNextCheck } from './rules/due-queries.ts';

/** The moment of seconds since 1970. */
export const toMoment = (at_s: number): Date => new Date(at_s * 1000);

const toMomentOrNull = (at_s: number | null): Date | null => (at_s === null ? null : toMoment(at_s));

/** A plan as columns of the event's row. */
export const planned = ({
  next_starts_s,
  next_check_s,
}: Plan): { next_starts_at: Date | null; next_check_at: Date | null } => ({
  next_starts_at: toMomentOrNull(next_starts_s),
  next_check_at: toMomentOrNull(next_check_s),
});

/**
 * Schedules the job that handles an event's next reminder or start. One job per event: a new plan replaces the previous
 * one.
 */
export function enqueueCheck(change: Pick<Change, 'enqueue' | 'now'>, event_id: string, { next_check_s }: Plan): void {
  // For an event without a future, a job without work replaces its job.
  const run_at = next_check_s === null ? change.now : toMoment(next_check_s);
  change.enqueue(emitDue, { event_id }, { run_at, key: `calendar.next:${event_id}` });
}

/**
 * Notifies owner and guests of what is due, and schedules the next job. What was notified is marked in the same
 * transaction.
 */
export const emitDue = job<{ event_id: string }>({
  name: 'calendar.next',
  max_attempts: 20,
  run: ({ event_id }, services) => notifyDue(services, event_id),
});

const plannedOf = (row: EventRow): Planned => ({
  schedule: scheduleOf(row),
  reminders: row.reminders,
  call_enabled: row.call_enabled,
});

/** Notifies of what has become due since the last time; also before an edit, whose job has perhaps not run yet. */
export async function notifyPastDue(change: Change, row: EventRow): Promise<void> {
  for (const due of dueBetween(plannedOf(row), toSeconds(row.notified_until), toSeconds(change.now)))
    await notifyOne(change, row, due);
}

/** Locks an event, notifies of what is due for it, and schedules the next job. */
async function notifyDue(services: Services, event_id: string): Promise<void> {
  await inChange(services, async (change) => {
    const { db, now } = change;
    const row = await lockForCheck(db, event_id);
    // Events of a deleted account cause no notifications.
    if (!row) return void (await setNextCheck(db, event_id, null));
    await notifyPastDue(change, row);
    const plan = planAfter(plannedOf(row), toSeconds(now));
    const { next_starts_at, next_check_at } = planned(plan);
    await recordNotified(db, event_id, { next_starts_at, next_check_at }, now);
    if (plan.next_check_s !== null) enqueueCheck(change, event_id, plan);
  });
}

/** How many events are handled in one round, and how many of them at once. */
const max_overdue = 500;
const at_once = 4;
/** How long an event that failed is skipped, in seconds. */
const retry_s = 10;

/** Handles overdue events, on the node that finds them first. */
export async function notifyOverdue(services: Services): Promise<void> {
  const ids = await selectOverdue(services.db, services.clock.now(), max_overdue);
  const emitNext = async () => {
    for (let id = ids.shift(); id !== undefined; id = ids.shift()) await emitOrPostpone(services, id);
  };
  await Promise.all(Array.from({ length: at_once }, emitNext));
}

async function emitOrPostpone(services: Services, id: string): Promise<void> {
  try {
    await notifyDue(services, id);
  } catch (error) {
    services.log.warn({ err: error, calendar_event: id }, 'the reminders of an event are retried');
    const again_at = toMoment(toSeconds(services.clock.now()) + retry_s);
    await setNextCheck(services.db, id, again_at);
  }
}

/** Reminders are for the owner; a start is announced to guests, too. */
async function notifyOne(change: Change, row: EventRow, { kind, starts_s, at_s }: Due): Promise<void> {
  const guests = kind === 'event_reminder' ? [] : await selectVisibleGuests(change.db, row);
  for (const to of [row.owner_id, ...guests])
    await notify(change, {
      to,
      kind,
      subject: { type: 'event', id: row.id },
      actor_id: row.owner_id,
      source_id: `${row.id}:${kind}:${starts_s}:${at_s}`,
      ...(kind === 'event_reminder' && { minutes_before: Math.round((starts_s - at_s) / 60) }),
    });
}
