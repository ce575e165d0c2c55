/** Drafts of events: validated as a whole, and ready to be stored. */
import { day_s, readDate, writeDate, writeInstant } from '../../../domain/recurrence/civil.ts';
import { scheduleOf, writeSpan, type EventRow } from '../../../domain/calendar/events.ts';
import { RuleError } from '../../../domain/recurrence/rule-text.ts';
import { measure, occurrenceAt, type Schedule, type Span } from '../../../domain/recurrence/schedule.ts';
import { fromLocal, isTimeZone, toLocal } from '../../../domain/recurrence/zones.ts';
import { invalid } from '../../../kernel/errors.ts';
import { default_limits } from '../../../kernel/load/limits.ts';
import { readMoment } from '../../../kernel/time.ts';

/** The fields of an event in a request; null removes a value. */
export type EventInput = {
  title?: string;
  description?: string | null;
  location?: string | null;
  starts_at?: string;
  ends_at?: string;
  all_day?: boolean | null;
  timezone?: string | null;
  rrule?: string | null;
  exdates?: string[] | null;
  reminders?: { minutes_before: number }[] | null;
  call?: { enabled: boolean } | null;
};

/** An event as stored. */
export type Draft = {
  title: string;
  description: string | null;
  location: string | null;
  schedule: Schedule;
  span: Span;
  reminders: number[];
  call_enabled: boolean;
};

/** The maximum duration of an occurrence of a recurring event. */
const max_recurring_s = 366 * day_s;

const rfc_3339 = /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Parses a timestamp, or a date for all-day events, to seconds since 1970.
 * @throws ApiError `validation_failed` that names the field
 */
function readWhen(field: string, typed: string, all_day: boolean, timezone: string): number {
  if (all_day) {
    const day = readDate(typed);
    return day === undefined ? invalid({ [field]: 'must be a date YYYY-MM-DD' }) : fromLocal(timezone, day * day_s);
  }
  const date = rfc_3339.exec(typed)?.[1];
  const moment = date !== undefined && readDate(date) !== undefined ? readMoment(typed) : undefined;
  return moment
    ? Math.floor(moment.getTime() / 1000)
    : invalid({ [field]: 'must be a date and time in RFC 3339 format' });
}

/** The stored form of an exception: the name of its occurrence on the wire. */
export function readException(field: string, typed: string, all_day: boolean, timezone: string): string {
  const at_s = readWhen(field, typed, all_day, timezone);
  return all_day ? typed : writeInstant(at_s);
}

function measured(schedule: Omit<Schedule, 'rule_end_s'>): Span {
  try {
    return measure(schedule);
  } catch (error) {
    if (error instanceof RuleError) invalid({ rrule: error.message });
    throw error;
  }
}

/** A field of an input: as stored when it is absent, and `cleared` when it is null. */
const given = <T>(typed: T | null | undefined, stored: T, cleared: T): T =>
  typed === undefined ? stored : (typed ?? cleared);

/** When the event of an input takes place, with the exceptions that it keeps. @throws ApiError `validation_failed` */
function readSchedule(input: EventInput, account_zone: string, row?: EventRow): Pick<Draft, 'schedule' | 'span'> {
  const before = row && scheduleOf(row);
  const all_day = given(input.all_day, row?.all_day ?? false, false);
  const timezone = given(input.timezone, row?.timezone ?? account_zone, account_zone);
  if (!isTimeZone(timezone)) invalid({ timezone: 'is not a valid time zone' });
  const written = before && writeSpan(before);
  const starts_s = readWhen('starts_at', input.starts_at ?? written?.starts_at ?? '', all_day, timezone);
  const ends_s = readWhen('ends_at', input.ends_at ?? written?.ends_at ?? '', all_day, timezone);
  if (ends_s <= starts_s) invalid({ ends_at: 'must be after starts_at' });
  const rrule = given(input.rrule, row?.rrule ?? null, null);
  if (rrule !== null && ends_s - starts_s > max_recurring_s)
    invalid({ ends_at: 'must be at most 366 days after starts_at when the event recurs' });
  const open = { starts_s, ends_s, all_day, timezone, rrule, exdates: [] };
  const span = measured(open);
  const schedule = { ...open, rule_end_s: span.rule_end_s };
  const exdates =
    input.exdates === undefined
      ? keptExceptions(before, schedule)
      : (input.exdates ?? []).map((typed) => readException('exdates', typed, all_day, timezone));
  return { schedule: { ...schedule, exdates: [...new Set(exdates)].sort() }, span };
}

/**
 * Completes an input, with the values of the existing event if there is one.
 * @param account_zone the default time zone
 * @throws ApiError `validation_failed`
 */
export function readDraft(input: EventInput, account_zone: string, row?: EventRow): Draft {
  const minutes = (row?.reminders ?? []).map((minutes_before) => ({ minutes_before }));
  const reminders = given(input.reminders, minutes, []).map(({ minutes_before }) => minutes_before);
  return {
    ...readSchedule(input, account_zone, row),
    title: (input.title ?? row?.title ?? '').trim(),
    description: given(input.description, row?.description ?? null, null),
    location: given(input.location, row?.location ?? null, null),
    reminders: [...new Set(reminders)],
    call_enabled: given(input.call, { enabled: row?.call_enabled ?? false }, { enabled: false }).enabled,
  };
}

/**
 * The exceptions of an edited event: moved with its start, without those that match no occurrence any more. Those that
 * are too many to be checked are kept, since an exception without an occurrence does no harm.
 */
function keptExceptions(before: Schedule | undefined, after: Schedule): string[] {
  if (before === undefined || isSame(before, after)) return before?.exdates ?? [];
  const steps = { left: default_limits.window_steps };
  return before.exdates
    .map((name) => movedException(name, before, after))
    .filter((name) => occurrenceAt(after, name, steps) !== undefined || steps.left <= 0);
}

/** An exception at the same distance from the new start as from the old one, on the wall clock. */
function movedException(name: string, before: Schedule, after: Schedule): string {
  const startOf = ({ timezone, starts_s }: Schedule) => toLocal(timezone, starts_s);
  const was_s = before.all_day
    ? (readDate(name) ?? 0) * day_s
    : toLocal(before.timezone, Math.floor(Date.parse(name) / 1000));
  const local_s = was_s + startOf(after) - startOf(before);
  return after.all_day ? writeDate(Math.floor(local_s / day_s)) : writeInstant(fromLocal(after.timezone, local_s));
}

/** Whether two schedules have the same occurrences, apart from exceptions. */
const isSame = (one: Schedule | undefined, other: Schedule): boolean =>
  one !== undefined &&
  one.starts_s === other.starts_s &&
  one.ends_s === other.ends_s &&
  one.all_day === other.all_day &&
  one.timezone === other.timezone &&
  one.rrule === other.rrule;
