/**
 * Calls of calendar events: an event with a call has one join code for all of its occurrences. Around each occurrence
 * the first person to join starts the call.
 */
import type { Caller } from '../../kernel/caller.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { fail } from '../../kernel/errors.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { createCall } from '../calls/start/start-call.ts';
import { maySeeEvent } from '../visibility/calendar.ts';
import { schedule_columns, scheduleOf, type EventRow } from './events.ts';
import { nextAfter, occurrencesIn, type Schedule } from '../recurrence/schedule.ts';

/** How long before an occurrence its call opens, and how long after it closes. */
const opens_before_s = 600;
const closes_after_s = 1800;

type CallEventRow = Parameters<typeof scheduleOf>[0] &
  Pick<EventRow, 'id' | 'owner_id' | 'title'> & { join_code: string };

/** The event whose call a code opens, for people who have the event. */
const ofCode = (join_code: string, viewer_id: string) => sql`
  select ${schedule_columns}, e.owner_id, e.title, e.join_code from calendar_events e join users u on u.id = e.owner_id
  where e.join_code = ${join_code} and e.call_enabled and ${maySeeEvent(viewer_id)}`;

const isOpenAt = (schedule: Schedule, now_s: number): boolean =>
  occurrencesIn(schedule, now_s - closes_after_s, now_s + opens_before_s + 1, 1).length > 0;

/** Refuses with the time of the next opening, if any. @throws ApiError `not_open_yet` */
function refuseClosed(schedule: Schedule, now_s: number): never {
  const next = nextAfter(schedule, now_s + opens_before_s);
  const members = next ? { opens_at: wireTime(new Date((next.starts_s - opens_before_s) * 1000)) } : {};
  fail('not_open_yet', { members, message: next ? 'This call is not open yet.' : 'This event is over.' });
}

/**
 * Ensures that there is a call to join when a code belongs to an event whose call is open now. Current and former
 * participants may return even when the call runs over.
 * @throws ApiError `not_open_yet`, `call_in_progress`
 */
export async function prepareEventCall(
  change: Change,
  join_code: string,
  caller: Pick<Caller, 'user_id' | 'session_id' | 'tier'>,
): Promise<void> {
  const { db, now } = change;
  // Whether they may enter is read by another statement, which sees what was changed while the first waited.
  const locked = db.run(sql`select 1 from calendar_events where join_code = ${join_code} for no key update`);
  const [, event] = await Promise.all([locked, db.maybe<CallEventRow>(ofCode(join_code, caller.user_id))]);
  if (!event) return;
  const live = await db.maybe<{ is_part: boolean }>(sql`
    select exists (select 1 from call_participants p
      where p.call_id = c.id and p.user_id = ${caller.user_id} and p.removed_at is null) as is_part
    from calls c where c.join_code = ${join_code} and c.state <> 'ended'`);
  if (live?.is_part) return;
  const schedule = scheduleOf(event);
  const now_s = Math.floor(now.getTime() / 1000);
  if (!isOpenAt(schedule, now_s)) refuseClosed(schedule, now_s);
  if (live) return;
  const { id, owner_id } = event;
  await createCall(change, caller, { event: { id, owner_id, join_code }, callees: [] });
}

/** Refuses to show the call of an event while it is empty. @throws ApiError `not_open_yet` */
export async function refuseUntilOpen(db: Queryable, join_code: string, viewer_id: string, now: Date): Promise<void> {
  const event = await db.maybe<CallEventRow>(ofCode(join_code, viewer_id));
  if (!event) return;
  const schedule = scheduleOf(event);
  const now_s = Math.floor(now.getTime() / 1000);
  const open = occurrencesIn(schedule, now_s - closes_after_s, now_s + opens_before_s + 1, 1)[0];
  if (!open) refuseClosed(schedule, now_s);
  fail('not_open_yet', {
    members: {
      opens_at: wireTime(new Date((open.starts_s - opens_before_s) * 1000)),
      may_start: true,
      call_title: event.title,
    },
    message: 'This call has not started yet. Join to start it.',
  });
}
