/** Times of events in words. */
import type { CalendarEvent, Span } from './calendar-queries.ts';
import { addDays, describeDay } from './days.ts';
import { isSameTime, localZone, nameOfZone, wallTimeAt } from './recurrence/zones.ts';

/** "20:00" as the reader writes times. */
export function describeTime(moment: string, zone = localZone()): string {
  return new Date(moment).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit', timeZone: zone });
}

/** "1 h 30 min". */
export function describeLength(length_min: number): string {
  const [days, hours, minutes] = [Math.floor(length_min / 1440), Math.floor((length_min % 1440) / 60), length_min % 60];
  const words = [days > 0 ? `${days} d` : '', hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : ''];
  return words.filter((word) => word !== '').join(' ') || '0 min';
}

const FULL_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** When something takes place, on the clock of a zone: "Tuesday 14 October 2027, 20:00 to 22:00". */
export function describeSpan(span: Span, all_day: boolean, zone = localZone()): string {
  if (all_day) {
    const last_day = addDays(span.ends_at, -1);
    const first = describeDay(span.starts_at, FULL_DAY);
    return last_day === span.starts_at ? `${first}, all day` : `${first} to ${describeDay(last_day, FULL_DAY)}`;
  }
  const [from, to] = [wallTimeAt(Date.parse(span.starts_at), zone), wallTimeAt(Date.parse(span.ends_at), zone)];
  const [begins, ends] = [describeTime(span.starts_at, zone), describeTime(span.ends_at, zone)];
  const first = describeDay(from.date, FULL_DAY);
  if (from.date === to.date) return `${first}, ${begins} to ${ends}`;
  return `${first}, ${begins} to ${describeDay(to.date, FULL_DAY)}, ${ends}`;
}

/** The same on the clock of the event's own zone, where that shows another time than this device. */
export function describeElsewhere(event: CalendarEvent, span: Span): string | undefined {
  if (event.all_day || isSameTime(event.timezone, localZone(), Date.parse(span.starts_at))) return undefined;
  return `${describeTime(span.starts_at, event.timezone)} to ${describeTime(span.ends_at, event.timezone)} in ${nameOfZone(event.timezone)}`;
}

/** "10 minutes before". */
export function describeReminder(minutes_before: number): string {
  if (minutes_before === 0) return 'When it starts';
  const [count, unit] =
    minutes_before % 10_080 === 0
      ? [minutes_before / 10_080, 'week']
      : minutes_before % 1440 === 0
        ? [minutes_before / 1440, 'day']
        : minutes_before % 60 === 0
          ? [minutes_before / 60, 'hour']
          : [minutes_before, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'} before`;
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
