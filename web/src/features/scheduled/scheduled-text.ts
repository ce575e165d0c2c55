/** Descriptions of scheduled jobs, and suggested times. */
import { addDays, daysBetween, describeDay, today, weekdayOf } from '../calendar/days.ts';
import { localZone, momentAt, wallTimeAt } from '../calendar/zones.ts';
import type { JobDraft, ScheduledJob } from './scheduled-queries.ts';
import { clockTime } from '../../i18n/clock-time.ts';
import { i18n } from '../../i18n/i18n.ts';
import { formatDate } from '../../i18n/format.ts';

const KINDS = {
  get text() {
    return i18n.t('Message');
  },
  get call() {
    return i18n.t('A call');
  },
  get status() {
    return i18n.t('New post');
  },
  get reminder() {
    return i18n.t('Reminder');
  },
} as const;

/** "Message", "New post" and the like. */
export const nameOfKind = (kind: ScheduledJob['kind']): string => KINDS[kind];

/** "tomorrow at 09:00". */
export function describeMoment(moment: string): string {
  const { date } = wallTimeAt(Date.parse(moment), localZone());
  const time = clockTime(moment);
  const away = daysBetween(today(), date);
  if (away === 0) return i18n.t('today at {time}', { time });
  if (away === 1) return i18n.t('tomorrow at {time}', { time });
  const year = date.slice(0, 4) === today().slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  return i18n.t('{day} at {time}', {
    day: describeDay(date, { weekday: 'long', day: 'numeric', month: 'long', ...year }),
    time,
  });
}

/** The request body that creates the same job again; a time in the past becomes now. */
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

/** Why a run failed, as a sentence that says what the reader can do. */
export function describeFailure(error: string | null): string {
  if (error === 'missed') return i18n.t('It was missed: the service wasn’t running at that time.');
  return error ?? i18n.t('Something went wrong.');
}

/** A common choice of time. */
export interface SuggestedTime {
  words: string;
  moment: Date;
}

/** "Thu, 15 May at 09:00": the day and the time of a suggestion. */
export function describeSuggestion(moment: Date): string {
  const day = formatDate(moment, { weekday: 'short', day: 'numeric', month: 'short' });
  return i18n.t('{day} at {time}', { day, time: clockTime(moment) });
}

/** This evening, tomorrow at nine and Monday at nine, unless they have passed. */
export function suggestTimes(now_ms = Date.now()): SuggestedTime[] {
  const zone = localZone();
  const { date } = wallTimeAt(now_ms, zone);
  const monday = addDays(date, (8 - weekdayOf(date)) % 7 || 7);
  const times: SuggestedTime[] = [
    { words: i18n.t('This evening'), moment: momentAt({ date, time: '18:00' }, zone) },
    { words: i18n.t('Tomorrow'), moment: momentAt({ date: addDays(date, 1), time: '09:00' }, zone) },
    { words: i18n.t('Monday'), moment: momentAt({ date: monday, time: '09:00' }, zone) },
  ];
  // On Sunday, tomorrow is Monday.
  const is_sunday = monday === addDays(date, 1);
  return times.filter(({ moment }, at) => moment.getTime() > now_ms + 60_000 && !(is_sunday && at === 2));
}
