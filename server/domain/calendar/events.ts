/** Calendar events: their schema, who may see them, and how each is shown to its owner and guests. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { found, fail } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { component, idOf, moment, nullable, object, oneOf, optional, Type, type Static } from '../../kernel/schema.ts';
import { toSeconds, wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { linkUrl } from '../public-links/links.ts';
import { maySeeEvent } from '../visibility/calendar.ts';
import { maySeeUser } from '../visibility/people.ts';
import { row_by_row, type Viewer, type ViewerId } from '../visibility/viewer.ts';
import { writeInstant } from '../recurrence/civil.ts';
import { toLocal as localOf } from '../recurrence/zones.ts';
import {
  max_occurrences,
  nextAfter,
  type Occurrence,
  occurrencesIn,
  type Schedule,
  writeOccurrence,
} from '../recurrence/schedule.ts';

const { event_exdates, event_guests, event_reminders } = default_limits;

/** A timestamp, or a date for an all-day event. */
export const When = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\dZ)?$',
  description: 'UTC, whole seconds; a date for an all-day event.',
});

/** When the owner of an event is reminded, in minutes before its start; at most four weeks. */
export const Reminder = object({ minutes_before: Type.Integer({ minimum: 0, maximum: 40_320 }) });

export const EventShare = component(
  'EventShare',
  object({
    url: nullable(Type.String({ description: 'A public page; with the suffix .ics, the event as a file.' })),
    people: Type.Array(PublicUser, { maxItems: event_guests }),
  }),
);

/** The times of an event in a schema. */
export const spanOf = () => ({ starts_at: When, ends_at: When });

/** The fields of an event that everybody sees who may see it, also by its public link. */
export const eventContent = () => ({
  title: Type.String(),
  description: nullable(Type.String()),
  location: nullable(Type.String()),
  ...spanOf(),
  all_day: Type.Boolean(),
  timezone: Type.String({ description: 'The event recurs at the wall-clock time of this zone.' }),
  rrule: nullable(Type.String({ description: 'RFC 5545, without the prefix RRULE:.' })),
});

export const CalendarEvent = component(
  'CalendarEvent',
  object({
    id: idOf('evt'),
    ...eventContent(),
    exdates: Type.Array(When, { maxItems: event_exdates }),
    reminders: Type.Array(Reminder, {
      maxItems: event_reminders,
      description: 'The reminders of the owner; empty for guests.',
    }),
    call: object({ enabled: Type.Boolean(), join_code: optional(Type.String()) }),
    role: oneOf('owner', 'guest'),
    owner: PublicUser,
    share: nullable(EventShare),
    occurrences: optional(
      Type.Array(object(spanOf()), {
        maxItems: max_occurrences,
        description: `The occurrences in the requested window, at most ${max_occurrences}.`,
      }),
    ),
    revision: Type.Integer({ minimum: 1 }),
    created_at: moment,
    updated_at: moment,
  }),
);

export const CalendarChange = component(
  'CalendarChange',
  object({
    op: oneOf('upsert', 'delete'),
    event: optional(CalendarEvent),
    event_id: optional(idOf('evt')),
  }),
);

export const calendarChanged = event(
  'calendar.changed',
  'A calendar event that you own or that is shared with you was created or changed, or is no longer visible to you.',
  CalendarChange,
);

/** The columns of an event. */
export type EventRow = {
  id: string;
  owner_id: string;
  owner: PublicUserRow;
  title: string;
  description: string | null;
  location: string | null;
  starts_at: Date;
  ends_at: Date;
  /** When the first occurrence starts. */
  first_at: Date;
  all_day: boolean;
  timezone: string;
  rrule: string | null;
  rule_end_s: number | null;
  exdates: string[];
  reminders: number[];
  call_enabled: boolean;
  join_code: string | null;
  notified_until: Date;
  revision: number;
  created_at: Date;
  updated_at: Date;
  /** For the owner only. */
  share_sealed: string | null;
  guests: PublicUserRow[] | null;
};

/** The columns of `calendar_events e` that a schedule needs. */
export const schedule_columns = sql`e.id, e.starts_at, e.ends_at, e.all_day, e.timezone, e.rrule,
  e.rule_end_s::float8 as rule_end_s, e.exdates`;

/** The columns of EventRow, over `calendar_events e` and its owner `u`. */
export const eventColumns = (viewer_id: ViewerId): Sql => sql`
  ${schedule_columns}, e.first_at, e.owner_id, e.title, e.description, e.location, e.reminders, e.call_enabled, e.join_code,
  e.notified_until, e.revision, e.created_at, e.updated_at, ${publicUserJson('u')} as owner,
  case when e.owner_id = ${viewer_id} then (
    select p.sealed from public_links p where p.kind = 'event' and p.subject_id = e.id and p.revoked_at is null) end as share_sealed,
  case when e.owner_id = ${viewer_id} then (
    select json_agg(${publicUserJson('u')} order by c.created_at, c.user_id) from calendar_guests c
      cross join lateral (select * from users k where k.id = c.user_id ${row_by_row}) u
    where c.event_id = e.id and ${maySeeUser(sql`e.owner_id`)}) end as guests`;

/** Events that a viewer may see; `which` may end in an order. */
export function selectEvents(db: Queryable, viewer_id: string, which: Sql): Promise<EventRow[]> {
  return db.many<EventRow>(sql`
    select ${eventColumns(viewer_id)} from calendar_events e join users u on u.id = e.owner_id
    where ${maySeeEvent(viewer_id)} and ${which}`);
}

/** Those events that the viewer may see. */
export function selectEventsById(db: Queryable, viewer_id: string, ids: string[]): Promise<EventRow[]> {
  return selectEvents(db, viewer_id, sql`e.id = any(${ids}::text[])`);
}

/** An event in the calendar of its owner or of a guest. */
export type CalendarEntry = { user_id: string; event_id: string };

/** The guests of events. */
export function selectGuestEntries(db: Queryable, event_ids: string[]): Promise<CalendarEntry[]> {
  return db.many<CalendarEntry>(
    sql`select user_id, event_id from calendar_guests where event_id = any(${event_ids}::text[])`,
  );
}

/** An event that the viewer may see. @throws ApiError `not_found` */
export async function requireEvent(db: Queryable, id: string, viewer_id: string): Promise<EventRow> {
  return found((await selectEvents(db, viewer_id, sql`e.id = ${id}`))[0]);
}

/** An event of the caller. @throws ApiError `not_found`, or `forbidden` for guests */
export async function requireOwnEvent(db: Queryable, id: string, user_id: string): Promise<EventRow> {
  const row = await requireEvent(db, id, user_id);
  if (row.owner_id !== user_id) fail('forbidden');
  return row;
}

/** The schedule of an event. */
export function scheduleOf(
  row: Pick<EventRow, 'starts_at' | 'ends_at' | 'all_day' | 'timezone' | 'rrule' | 'rule_end_s' | 'exdates'>,
): Schedule {
  const { all_day, timezone, rrule, rule_end_s, exdates } = row;
  const [starts_s, ends_s] = [toSeconds(row.starts_at), toSeconds(row.ends_at)];
  return { starts_s, ends_s, all_day, timezone, rrule, rule_end_s, exdates };
}

/** An event's own start and end in wire format. */
export function writeSpan(schedule: Schedule): { starts_at: string; ends_at: string } {
  const { all_day, timezone, starts_s, ends_s } = schedule;
  if (!all_day) return { starts_at: writeInstant(starts_s), ends_at: writeInstant(ends_s) };
  return writeOccurrence(schedule, { starts_s, ends_s, local_s: localOf(timezone, starts_s) });
}

/** The fields of `eventContent`. */
export const presentContent = (row: EventRow, schedule: Schedule) => ({
  title: row.title,
  description: row.description,
  location: row.location,
  ...writeSpan(schedule),
  all_day: row.all_day,
  timezone: row.timezone,
  rrule: row.rrule,
});

/** An event as its owner or a guest sees it. */
export function presentEvent(
  row: EventRow,
  { id, services }: Pick<Viewer, 'id' | 'services'>,
  occurrences?: Occurrence[],
): Static<typeof CalendarEvent> {
  const schedule = scheduleOf(row);
  const is_owner = row.owner_id === id;
  const people = (row.guests ?? []).map((one) => presentUser(one, { services }));
  const url = row.share_sealed === null ? null : linkUrl(services, 'event', row.share_sealed);
  return {
    id: row.id,
    ...presentContent(row, schedule),
    exdates: row.exdates,
    reminders: is_owner ? row.reminders.map((minutes_before) => ({ minutes_before })) : [],
    call: row.call_enabled && row.join_code ? { enabled: true, join_code: row.join_code } : { enabled: false },
    role: is_owner ? 'owner' : 'guest',
    owner: presentUser(row.owner, { services }),
    share: is_owner && (url !== null || people.length > 0) ? { url, people } : null,
    ...(occurrences ? { occurrences: occurrences.map((one) => writeOccurrence(schedule, one)) } : {}),
    revision: row.revision,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

/** Extra rows for events that have ended but whose job is late: those are skipped. */
const max_ended = 5;

/**
 * A person's current and upcoming events, soonest first, each with that occurrence: own events and those shared with
 * them. One statement.
 */
export async function upcomingEvents(
  db: Queryable,
  viewer_id: string,
  now: Date,
  count: number,
): Promise<{ row: EventRow; occurrence: Occurrence }[]> {
  const max = count + max_ended;
  const soonest = sql`order by n.next_starts_at, n.id limit ${max}`;
  const rows = await db.many<EventRow>(sql`
    with near as (
      (select n.id, n.next_starts_at from calendar_events n
        where n.owner_id = ${viewer_id} and n.next_starts_at is not null ${soonest})
      union all
      (select n.id, n.next_starts_at from calendar_guests c join calendar_events n on n.id = c.event_id
        -- Before the limit, so that the events of a suspended owner do not take the places of others.
        cross join lateral (select * from users k where k.id = n.owner_id ${row_by_row}) u
        where c.user_id = ${viewer_id} and n.next_starts_at is not null and ${maySeeUser(viewer_id)} ${soonest}))
    select ${eventColumns(viewer_id)} from near join calendar_events e on e.id = near.id join users u on u.id = e.owner_id
    where ${maySeeEvent(viewer_id)} order by near.next_starts_at, e.id limit ${max}`);
  const now_s = toSeconds(now);
  const steps = { left: default_limits.window_steps };
  const shown = rows.flatMap((row) => {
    const schedule = scheduleOf(row);
    const occurrence = occurrencesIn(schedule, now_s, now_s + 1, 1, steps)[0] ?? nextAfter(schedule, now_s, steps);
    return occurrence ? [{ row, occurrence }] : [];
  });
  return shown.toSorted((a, b) => a.occurrence.starts_s - b.occurrence.starts_s).slice(0, count);
}
