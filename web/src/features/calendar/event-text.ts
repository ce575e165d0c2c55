/** Formatted times of events. */
import type { CalendarEvent, Span } from './calendar-queries.ts';
import { addDays, describeDay } from './days.ts';
import { isSameTime, localZone, nameOfZone, wallTimeAt } from './zones.ts';
import type { Scope } from './recurrence/series.ts';
import { clockTime } from '../../i18n/clock-time.ts';
import { i18n } from '../../i18n/i18n.ts';

/** "20:00", in the reader's locale. */
export const describeTime = (moment: string, zone = localZone()): string => clockTime(moment, zone);

/** "1 h 30 min". */
export function describeLength(length_min: number): string {
  const [days, hours, minutes] = [Math.floor(length_min / 1440), Math.floor((length_min % 1440) / 60), length_min % 60];
  const words = [
    days > 0 ? i18n.t('{days} d', { days }) : '',
    hours > 0 ? i18n.t('{hours} h', { hours }) : '',
    minutes > 0 ? i18n.t('{minutes} min', { minutes }) : '',
  ];
  return words.filter((word) => word !== '').join(' ') || i18n.t('{minutes} min', { minutes });
}

const FULL_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** The choices for which occurrences of a series something applies to. */
export const listScopes = (): readonly (readonly [Scope, string])[] => [
  ['this', i18n.t('This time')],
  ['following', i18n.t('This and all following')],
  ['all', i18n.t('Every time')],
];

/** The shortest description of a time span: "Tue, Oct 14, 20:00 to 22:00". */
export function describeShortSpan(span: Span, all_day: boolean): string {
  const last_at = all_day ? addDays(span.ends_at, -1) : span.ends_at;
  const dayOf = (at: string) => (all_day ? at : wallTimeAt(Date.parse(at), localZone()).date);
  const [first, last] = [dayOf(span.starts_at), dayOf(last_at)].map((day) =>
    describeDay(day, { weekday: 'short', day: 'numeric', month: 'short' }),
  ) as [string, string];
  if (all_day) return first === last ? first : i18n.t('{first} to {day}', { first, day: last });
  const [begins, ends] = [describeTime(span.starts_at), describeTime(span.ends_at)];
  if (first === last) return i18n.t('{first}, {begins} to {ends}', { first, begins, ends });
  return i18n.t('{first}, {begins} to {day}, {ends}', { first, begins, day: last, ends });
}

/** A time span in a time zone: "Tuesday 14 October 2027, 20:00 to 22:00". */
export function describeSpan(span: Span, all_day: boolean, zone = localZone()): string {
  if (all_day) {
    const last_day = addDays(span.ends_at, -1);
    const first = describeDay(span.starts_at, FULL_DAY);
    return last_day === span.starts_at
      ? i18n.t('{first}, all day', { first })
      : i18n.t('{first} to {day}', { first, day: describeDay(last_day, FULL_DAY) });
  }
  const [from, to] = [wallTimeAt(Date.parse(span.starts_at), zone), wallTimeAt(Date.parse(span.ends_at), zone)];
  const [begins, ends] = [describeTime(span.starts_at, zone), describeTime(span.ends_at, zone)];
  const first = describeDay(from.date, FULL_DAY);
  if (from.date === to.date) return i18n.t('{first}, {begins} to {ends}', { first, begins, ends });
  return i18n.t('{first}, {begins} to {day}, {ends}', { first, begins, day: describeDay(to.date, FULL_DAY), ends });
}

/** When an event takes place in its own time zone, if that differs from this device's. */
export function describeElsewhere(event: CalendarEvent, span: Span): string | undefined {
  if (event.all_day || isSameTime(event.timezone, localZone(), Date.parse(span.starts_at))) return undefined;
  return i18n.t('{begins} to {ends} in {zone}', {
    begins: describeTime(span.starts_at, event.timezone),
    ends: describeTime(span.ends_at, event.timezone),
    zone: nameOfZone(event.timezone),
  });
}

/** "10 minutes before". */
export function describeReminder(minutes_before: number): string {
  if (minutes_before === 0) return i18n.t('When it starts');
  const units = [
    [10_080, (count: number) => i18n.t('{count, plural, one {# week before} other {# weeks before}}', { count })],
    [1440, (count: number) => i18n.t('{count, plural, one {# day before} other {# days before}}', { count })],
    [60, (count: number) => i18n.t('{count, plural, one {# hour before} other {# hours before}}', { count })],
  ] as const;
  for (const [length_min, say] of units) if (minutes_before % length_min === 0) return say(minutes_before / length_min);
  return i18n.t('{count, plural, one {# minute before} other {# minutes before}}', { count: minutes_before });
}

/** How long before an occurrence its call opens, and how long after it closes. */
const OPENS_BEFORE_MS = 10 * 60_000;
const CLOSES_AFTER_MS = 30 * 60_000;

/** Whether the call of an occurrence may be joined. */
export function callState(span: Span, all_day: boolean, now_ms: number): 'early' | 'open' | 'over' {
  const edge = (at: string) => (all_day ? Date.parse(`${at}T00:00:00`) : Date.parse(at));
  if (now_ms < edge(span.starts_at) - OPENS_BEFORE_MS) return 'early';
  return now_ms < edge(span.ends_at) + CLOSES_AFTER_MS ? 'open' : 'over';
}
