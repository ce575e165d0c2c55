import { schedule_columns, type EventRow } from '../../domain/calendar/events.ts';
import { generateJoinCode } from '../../domain/calls/state/calls.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { row_by_row } from '../../domain/visibility/viewer.ts';
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail, found } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { default_limit, type Page } from '../../kernel/page.ts';
import type { Change } from '../../kernel/services.ts';
import { planned, toMoment } from './jobs.ts';
import type { Draft } from './rules/drafts.ts';
import type { Plan } from './rules/planning.ts';
import type { NextTimes } from './rules/due-queries.ts';

const endOf = ({ span }: Draft): Date | string => (span.last_s === Infinity ? 'infinity' : toMoment(span.last_s));

/**
 * Locks the row of an account until the end of the transaction, so that its events are inserted one after the other.
 * @returns the account's time zone
 */
export async function lockCalendar(db: Queryable, owner_id: string): Promise<string> {
  return found(
    await db.maybe<{ timezone: string }>(
      sql`select timezone from users where id = ${owner_id} and deleted_at is null for no key update`,
    ),
  ).timezone;
}

/** Whether an account has room for another event, or another recurring one. The caller has locked its row. */
const hasRoom = (owner_id: string, draft: Draft, but = ''): Sql => sql`(
  (select count(*) from calendar_events where owner_id = ${owner_id}) < ${default_limits.events + (but ? 1 : 0)}::int
  and (${draft.schedule.rrule === null}::boolean or (
    select count(*) from calendar_events where owner_id = ${owner_id} and rrule is not null and id <> ${but})
    < ${default_limits.recurring_events}::int))`;

/** Inserts an event. @throws ApiError `plan_limit_reached` when the calendar is full */
export async function insertEvent(
  { db, now }: Pick<Change, 'db' | 'now'>,
  id: string,
  owner_id: string,
  draft: Draft,
  plan: Plan,
): Promise<void> {
  const { schedule, span } = draft;
  const { next_starts_at, next_check_at } = planned(plan);
  const made = await db.run(sql`
    insert into calendar_events (id, owner_id, title, description, location, starts_at, ends_at, all_day, timezone, rrule,
      rule_end_s, exdates, first_at, last_at, reminders, call_enabled, join_code, next_starts_at, next_check_at,
      notified_until, created_at, updated_at)
    select ${id}, ${owner_id}, ${draft.title}, ${draft.description}, ${draft.location}, ${toMoment(schedule.starts_s)}::timestamptz,
      ${toMoment(schedule.ends_s)}::timestamptz, ${schedule.all_day}::boolean, ${schedule.timezone}, ${schedule.rrule},
      ${span.rule_end_s}::bigint, ${schedule.exdates}::text[], ${toMoment(span.first_s)}::timestamptz, ${endOf(draft)}::timestamptz,
      ${draft.reminders}::int[], ${draft.call_enabled}::boolean, ${draft.call_enabled ? generateJoinCode() : null},
      ${next_starts_at}::timestamptz, ${next_check_at}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    where ${hasRoom(owner_id, draft)}`);
  if (made === 0) fail('plan_limit_reached', { message: 'Your calendar has reached its limit of events.' });
}

/** Updates an event and increments its revision. @throws ApiError `plan_limit_reached` */
export async function updateEvent(
  { db, now }: Pick<Change, 'db' | 'now'>,
  row: EventRow,
  draft: Draft,
  plan: Plan,
): Promise<void> {
  const { schedule, span } = draft;
  const { next_starts_at, next_check_at } = planned(plan);
  const written = await db.run(sql`
    update calendar_events set title = ${draft.title}, description = ${draft.description}, location = ${draft.location},
      starts_at = ${toMoment(schedule.starts_s)}, ends_at = ${toMoment(schedule.ends_s)}, all_day = ${schedule.all_day}::boolean,
      timezone = ${schedule.timezone}, rrule = ${schedule.rrule}, rule_end_s = ${span.rule_end_s}::bigint,
      exdates = ${schedule.exdates}::text[], first_at = ${toMoment(span.first_s)}, last_at = ${endOf(draft)}::timestamptz,
      reminders = ${draft.reminders}::int[], call_enabled = ${draft.call_enabled}::boolean,
      join_code = coalesce(join_code, ${draft.call_enabled ? generateJoinCode() : null}), next_starts_at = ${next_starts_at},
      next_check_at = ${next_check_at}, notified_until = ${now}, revision = revision + 1, updated_at = ${now}
    where id = ${row.id} and (${schedule.rrule === null || row.rrule !== null}::boolean or ${hasRoom(row.owner_id, draft, row.id)})`);
  if (written === 0)
    fail('plan_limit_reached', { message: 'Your calendar has reached its limit of recurring events.' });
}

/** Locks an event until the end of the transaction, so that its updates are serialised. */
export async function lockEvent(db: Queryable, event_id: string): Promise<void> {
  await db.run(sql`select 1 from calendar_events where id = ${event_id} for update`);
}

/** The newest events of a person: the identifiers of a page, and one more. */
export function newestEvents(user_id: string, page: Page): Sql {
  const max = (page.offset ?? 0) + (page.limit ?? default_limit) + 1;
  const older = (column: Sql) => (page.before_id === undefined ? sql`` : sql`and ${column} < ${page.before_id}`);
  return sql`e.id in (
    (select o.id from calendar_events o where o.owner_id = ${user_id} ${older(sql`o.id`)} order by o.id desc limit ${max})
    union all
    (select c.event_id from calendar_guests c join calendar_events o on o.id = c.event_id join users u on u.id = o.owner_id
      where c.user_id = ${user_id} and ${maySeeUser(user_id)} ${older(sql`c.event_id`)} order by c.event_id desc limit ${max}))
    order by e.id desc limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`;
}

/** The columns from which the occurrences of an event are computed. */
export type ScheduleRow = Pick<
  EventRow,
  'id' | 'starts_at' | 'ends_at' | 'all_day' | 'timezone' | 'rrule' | 'rule_end_s' | 'exdates'
>;

/**
 * Candidates for a calendar window: single events, soonest first, as many as a page may need, and all events that recur
 * or have exceptions. `version` identifies what the viewer is shown of an event, except for its occurrences; it is null for
 * an event that its owner shares, since the rows of a share have versions of their own.
 */
export function selectWindow(
  db: Queryable,
  user_id: string,
  { from, to, max }: { from: Date; to: Date; max: number },
): Promise<(ScheduleRow & { version: string | null })[]> {
  const touches = sql`e.last_at > ${from} and e.first_at < ${to}`;
  const once = sql`e.rrule is null and e.exdates = '{}'`;
  const own_version = sql`
    case when not exists (select 1 from calendar_guests c where c.event_id = e.id ${row_by_row})
      and not exists (select 1 from public_links p where p.kind = 'event' and p.subject_id = e.id and p.revoked_at is null ${row_by_row})
    then concat_ws(' ', 'owner', e.id, e.xmin, (select k.xmin from users k where k.id = ${user_id})) end as version`;
  const own = sql`from calendar_events e where e.owner_id = ${user_id} and ${touches}`;
  const shared_version = sql`concat_ws(' ', 'guest', e.id, e.xmin, u.xmin) as version`;
  // Row by row, since a database without statistics would scan all accounts.
  const shared = sql`from calendar_guests c
    cross join lateral (select s.xmin, s.* from calendar_events s where s.id = c.event_id ${row_by_row}) e
    cross join lateral (select k.xmin, k.* from users k where k.id = e.owner_id ${row_by_row}) u
    where c.user_id = ${user_id} and ${touches} and ${maySeeUser(user_id)}`;
  const soonest = sql`order by e.first_at, e.id limit ${max}`;
  const [owned, invited] = [sql`${schedule_columns}, ${own_version}`, sql`${schedule_columns}, ${shared_version}`];
  return db.many(sql`
    (select ${owned} ${own} and ${once} ${soonest}) union all (select ${owned} ${own} and not (${once}))
    union all
    (select ${invited} ${shared} and ${once} ${soonest}) union all (select ${invited} ${shared} and not (${once}))`);
}

/** Deletes an event. */
export async function removeEvent(db: Queryable, event_id: string): Promise<void> {
  await db.run(sql`delete from calendar_events where id = ${event_id}`);
}

/** Stores the exception dates of an event whose row is locked. */
export async function setExceptions(
  db: Queryable,
  event_id: string,
  exdates: string[],
  { next_starts_at, next_check_at }: NextTimes,
  now: Date,
): Promise<void> {
  await db.run(sql`
    update calendar_events set exdates = ${exdates}::text[], next_starts_at = ${next_starts_at},
      next_check_at = ${next_check_at}, notified_until = ${now}, revision = revision + 1, updated_at = ${now}
    where id = ${event_id}`);
}
