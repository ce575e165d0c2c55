import { dateFormatter, formatDate } from './format.ts';

/** The time of day as the reader's language writes it: 07:00, 7:00 or 7:00 AM. */
export function clockTime(at: Date | string, timeZone?: string): string {
  return formatDate(at, { timeStyle: 'short', timeZone });
}

/** The same for a narrow place: a 12-hour clock has no minutes at a full hour. 07:00, 7:00, 7 AM or 7:30 AM. */
export function narrowClockTime(at: Date | string, timeZone?: string): string {
  const format = dateFormatter({ timeStyle: 'short', timeZone });
  const parts = format.formatToParts(new Date(at));
  const has_half = parts.some(({ type }) => type === 'dayPeriod');
  const is_full = parts.some(({ type, value }) => type === 'minute' && Number(value) === 0);
  if (!has_half || !is_full) return format.format(new Date(at));
  return parts
    .filter(({ type }, index) => type !== 'minute' && parts[index + 1]?.type !== 'minute')
    .map(({ value }) => value)
    .join('');
}
