import { eventColumns, scheduleOf, type EventRow } from '../../domain/calendar/events.ts';
import { notify } from '../../domain/notifications/notifications.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange, type Change, type Services } from '../../kernel/services.ts';
import { dueBetween, planAfter, type Due, type Plan, type Planned } from './rules/planning.ts';

export const toSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
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
export async function notifyPastDue(change: Change, services: Services, row: EventRow): Promise<void> {
  for (const due of dueBetween(plannedOf(row), toSeconds(row.notified_until), toSeconds(change.now)))
    await notifyOne(change, services, row, due);
}

/** Locks an event, notifies of what is due for it, and schedules the next job. */
async function notifyDue(services: Services, event_id: string): Promise<void> {
  await inChange(services, async (change) => {
    const { db, now } = change;
    const row = await db.maybe<EventRow>(sql`
        select ${eventColumns('')} from calendar_events e join users u on u.id = e.owner_id
        where e.id = ${event_id} and u.deleted_at is null for update of e`);
    // Events of a deleted account cause no notifications.
    if (!row) return void (await db.run(sql`update calendar_events set next_check_at = null where id = ${event_id}`));
    await notifyPastDue(change, services, row);
    const plan = planAfter(plannedOf(row), toSeconds(now));
    const { next_starts_at, next_check_at } = planned(plan);
    await db.run(sql`
        update calendar_events set notified_until = greatest(notified_until, ${now}), next_starts_at = ${next_starts_at},
          next_check_at = ${next_check_at}
        where id = ${event_id}`);
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
  const rows = await services.db.many<{ id: string }>(sql`
    select id from calendar_events where next_check_at <= ${services.clock.now()} order by next_check_at limit ${max_overdue}::int`);
  const ids = rows.map(({ id }) => id);
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
    await services.db.run(sql`update calendar_events set next_check_at = ${again_at} where id = ${id}`);
  }
}

/** Reminders are for the owner; a start is announced to guests, too. */
async function notifyOne(
  change: Change,
  services: Services,
  row: EventRow,
  { kind, starts_s, at_s }: Due,
): Promise<void> {
  const guests =
    kind === 'event_reminder'
      ? []
      : await change.db.many<{ id: string }>(sql`
          select u.id from calendar_guests c join users u on u.id = c.user_id
          where c.event_id = ${row.id} and ${maySeeUser(row.owner_id)} order by u.id`);
  for (const to of [row.owner_id, ...guests.map(({ id }) => id)])
    await notify(change, services, {
      to,
      kind,
      subject: { type: 'event', id: row.id },
      actor_id: row.owner_id,
      source_id: `${row.id}:${kind}:${starts_s}:${at_s}`,
      ...(kind === 'event_reminder' && { minutes_before: Math.round((starts_s - at_s) / 60) }),
    });
}
