/** When a job runs: validation of the input. */
import { nextOccurrence } from '../../../domain/recurrence/next-occurrence.ts';
import { readRule, RuleError } from '../../../domain/recurrence/rule-text.ts';
import { isTimeZone } from '../../../domain/recurrence/zones.ts';
import { invalid } from '../../../kernel/errors.ts';
import { after, readMoment } from '../../../kernel/time.ts';

/** The same time a year later; a day later for February 29. */
function yearAfter(now: Date): Date {
  const later = new Date(now);
  later.setUTCFullYear(now.getUTCFullYear() + 1);
  return later;
}

/** A zone by its name. @throws ApiError `validation_failed` */
export function requireTimeZone(timezone: string): string {
  return isTimeZone(timezone) ? timezone : invalid({ timezone: 'is not a valid time zone' });
}

/** The given time, in whole seconds. @throws ApiError `validation_failed` when it is in the past or too far ahead */
export function requireRunAt(text: string, now: Date): Date {
  const read = readMoment(text) ?? invalid({ run_at: 'is not a valid date and time' });
  const moment = new Date(Math.floor(read.getTime() / 1000) * 1000);
  // The current second is not in the past.
  if (moment.getTime() < Math.floor(now.getTime() / 1000) * 1000) invalid({ run_at: 'must be in the future' });
  if (moment > yearAfter(now)) invalid({ run_at: 'must be within a year from now' });
  return moment;
}

/** The maximum rate of a job that repeats without an end, per hour. */
const max_an_hour = 4;

/** Refuses a rule by which a job would run too often. @throws RuleError */
function requirePace(rrule: string): void {
  const { freq, by_minute, by_second } = readRule(rrule);
  if (freq === 'SECONDLY' || freq === 'MINUTELY') throw new RuleError('repeats more often than every hour');
  if ((by_minute?.length ?? 1) * (by_second?.length ?? 1) > max_an_hour)
    throw new RuleError(`repeats more than ${max_an_hour} times an hour`);
}

/** The first occurrence of a rule from a time on, inclusive. @throws ApiError `validation_failed` */
export function requireFirstRun(rrule: string, run_at: Date, timezone: string): Date {
  try {
    requirePace(rrule);
    const first = nextOccurrence(rrule, run_at, timezone, after(run_at, -1));
    return first ?? invalid({ rrule: 'has no occurrences' });
  } catch (error) {
    if (error instanceof RuleError) invalid({ rrule: error.message });
    throw error;
  }
}
