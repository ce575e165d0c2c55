import { eventColumns, scheduleOf, type EventRow } from '../../domain/calendar/events.ts';
import { notify } from '../../domain/notifications/notifications.ts';
import { mayMeet } from '../../domain/visibility/people.ts';
import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange, type Change, type Services } from '../../kernel/services.ts';
import { dueBetween, planAfter, type Due, type Plan } from './rules/planning.ts';

export const toSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
export const toMoment = (at_s: number): Date => new Date(at_s * 1000);

/** Has an event looked at when something of it is due next. One job an event: a new plan replaces the one before. */
export function enqueueLook(change: Pick<Change, 'enqueue' | 'now'>, event_id: string, { look_s }: Plan): void {
  // An event without a future has its job replaced by one that finds nothing to do.
  const run_at = look_s === null ? change.now : toMoment(look_s);
  change.enqueue(tellDue, { event_id }, { run_at, key: `calendar.next:${event_id}` });
}

/** Tells owner and guests of what has come due of an event, and plans the next look. What was told is marked with it. */
export const tellDue = job<{ event_id: string }>({
  name: 'calendar.next',
  max_attempts: 20,
  async run({ event_id }, services) {
    await inChange(services, async (change) => {
      const { db, now } = change;
      const row = await db.maybe<EventRow>(sql`
        select ${eventColumns('')} from calendar_events e join users u on u.id = e.owner_id
        where e.id = ${event_id} and u.deleted_at is null for update of e`);
      if (!row) return;
      const event = { schedule: scheduleOf(row), reminders: row.reminders, call_enabled: row.call_enabled };
      const now_s = toSeconds(now);
      for (const due of dueBetween(event, toSeconds(row.notified_until), now_s)) await tell(change, services, row, due);
      const plan = planAfter(event, now_s);
      await db.run(sql`
        update calendar_events set notified_until = ${now},
          next_starts_at = ${plan.next_starts_s === null ? null : toMoment(plan.next_starts_s)}
        where id = ${event_id}`);
      if (plan.look_s !== null) enqueueLook(change, event_id, plan);
    });
  },
});

/** Reminders are the owner's; of a start the guests are told, too. */
async function tell(change: Change, services: Services, row: EventRow, { kind, starts_s, at_s }: Due): Promise<void> {
  const guests =
    kind === 'event_reminder'
      ? []
      : await change.db.many<{ id: string }>(sql`
          select u.id from calendar_guests c join users u on u.id = c.user_id
          where c.event_id = ${row.id} and ${mayMeet(row.owner_id)} order by u.id`);
  for (const to of [row.owner_id, ...guests.map(({ id }) => id)])
    await notify(change, services, {
      to,
      kind,
      subject: { type: 'event', id: row.id },
      actor_id: row.owner_id,
      source_id: `${row.id}:${kind}:${starts_s}:${at_s}`,
    });
}
