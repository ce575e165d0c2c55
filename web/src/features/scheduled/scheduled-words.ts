/** What scheduled jobs say of themselves, and the times that are suggested. */
import { addDays, daysBetween, describeDay, today, weekdayOf } from '../calendar/days.ts';
import { localZone, momentAt, wallTimeAt } from '../calendar/recurrence/zones.ts';
import type { JobDraft, ScheduledJob } from './scheduled-queries.ts';

const KINDS = { text: 'Message', call: 'Call', status: 'Status', reminder: 'Reminder' } as const;

/** "Message", "Status" and the like. */
export const nameOfKind = (kind: ScheduledJob['kind']): string => KINDS[kind];

/** "tomorrow at 09:00". */
export function describeMoment(moment: string): string {
  const { date } = wallTimeAt(Date.parse(moment), localZone());
  const time = new Date(moment).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' });
  const away = daysBetween(today(), date);
  if (away === 0) return `today at ${time}`;
  if (away === 1) return `tomorrow at ${time}`;
  const year = date.slice(0, 4) === today().slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  return `${describeDay(date, { weekday: 'long', day: 'numeric', month: 'long', ...year })} at ${time}`;
}

/** What is sent to make the same job again; a time that has passed is now. */
export function draftOf(job: ScheduledJob): JobDraft {
  const { kind, target, body, tag_id, visibility, timezone, rrule } = job;
  const at = job.next_run_at ?? job.run_at;
  return {
    kind,
    run_at: Date.parse(at) > Date.now() ? at : new Date(Date.now() + 1000).toISOString(),
    timezone,
    ...(target === null ? {} : { target }),
    ...(body === null ? {} : { body }),
    ...(tag_id === null ? {} : { tag_id }),
    ...(visibility === null ? {} : { visibility }),
    ...(rrule === null ? {} : { rrule }),
  };
}

/** Why a run failed, as a sentence that says what one can do. */
export function describeFailure(error: string | null): string {
  if (error === 'missed') return 'It was missed: the service was not running at that time.';
  return error ?? 'It did not work.';
}

/** A time that many mean. */
export interface SuggestedTime {
  words: string;
  moment: Date;
}

/** This evening, tomorrow at nine and Monday at nine, as far as they lie ahead. */
export function suggestTimes(now_ms = Date.now()): SuggestedTime[] {
  const zone = localZone();
  const { date } = wallTimeAt(now_ms, zone);
  const monday = addDays(date, (8 - weekdayOf(date)) % 7 || 7);
  const times: SuggestedTime[] = [
    { words: 'This evening', moment: momentAt({ date, time: '18:00' }, zone) },
    { words: 'Tomorrow', moment: momentAt({ date: addDays(date, 1), time: '09:00' }, zone) },
    { words: 'Monday', moment: momentAt({ date: monday, time: '09:00' }, zone) },
  ];
  // On Sunday, tomorrow is Monday.
  const is_sunday = monday === addDays(date, 1);
  return times.filter(({ words, moment }) => moment.getTime() > now_ms + 60_000 && !(is_sunday && words === 'Monday'));
}
