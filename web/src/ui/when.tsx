import { i18n } from '../i18n/i18n.ts';
import { formatDate, formatDateTime, formatRelativeTime, formatRelativeDay } from '../i18n/format.ts';
import { describeAge } from './text/age.ts';

const STEPS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** "5 min. ago" within a week, then the date. @param at RFC 3339 */
export function describeWhen(at: string, now_ms = Date.now()): string {
  const age_s = (now_ms - Date.parse(at)) / 1000;
  if (age_s < 60) return i18n.t('just now');
  if (age_s > 7 * 86_400) return formatDate(at, { dateStyle: 'medium' });
  const { unit, seconds } = STEPS.find((step) => age_s >= step.seconds) ?? STEPS[2];
  return formatRelativeTime(-Math.floor(age_s / seconds), unit, { style: 'short' });
}

/** "Today", "Tomorrow", a weekday within the week, otherwise the date. */
export function describeDay(at: Date, now = new Date()): string {
  const midnight = (day: Date) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
  const days = Math.round((midnight(at) - midnight(now)) / 86_400_000);
  if (Math.abs(days) <= 1) return formatRelativeDay(days);
  if (days > 0 && days < 7) return formatDate(at, { weekday: 'long' });
  return formatDate(at, { dateStyle: 'medium' });
}

/** A duration for people: "45 s", "4 min", "1 h 5 min". */
export function describeSpan(span_s: number): string {
  if (span_s < 60) return i18n.t('{seconds} s', { seconds: Math.max(1, Math.round(span_s)) });
  const minutes = Math.round(span_s / 60);
  if (minutes < 60) return i18n.t('{minutes} min', { minutes });
  const rest = minutes % 60;
  const hours = Math.floor(minutes / 60);
  return rest === 0 ? i18n.t('{hours} h', { hours }) : i18n.t('{hours} h {minutes} min', { hours, minutes: rest });
}

/** A duration as a player shows it: "1:07". */
export function describeDuration(duration_s: number): string {
  const whole_s = Math.round(duration_s);
  return `${Math.floor(whole_s / 60)}:${String(whole_s % 60).padStart(2, '0')}`;
}

/** The position of a player: "0:12 of 1:07". */
export function describeProgress(at_s: number, length_s: number): string {
  return i18n.t('{at} of {length}', { at: describeDuration(at_s), length: describeDuration(length_s) });
}

interface WhenProps {
  at: string;
  className?: string;
  /** Beside a name, where it is understood as an age; else it may be a part of a sentence. */
  is_short?: boolean;
}

/** A relative time, with the exact time as its title. */
export function When({ at, className = 'soft small', is_short = false }: WhenProps) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className={className}>
      {is_short ? describeAge(at) : describeWhen(at)}
    </time>
  );
}
