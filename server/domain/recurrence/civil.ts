/**
 * Civil time as plain numbers: days since 1970-01-01, and seconds as if there were no clock changes. The proleptic
 * Gregorian calendar (ISO 8601).
 */

/** The seconds of a civil day. */
export const day_s = 86_400;

/** The day number of a date. Months count from 1 and may exceed the year. */
export function dayOf(year: number, month: number, day: number): number {
  const months = year * 12 + (month - 1);
  const y = Math.floor(months / 12);
  const m = months - y * 12 + 1;
  const shifted = m <= 2 ? y - 1 : y;
  const era = Math.floor(shifted / 400);
  const year_of_era = shifted - era * 400;
  const day_of_year = Math.floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const day_of_era = year_of_era * 365 + Math.floor(year_of_era / 4) - Math.floor(year_of_era / 100) + day_of_year;
  return era * 146_097 + day_of_era - 719_468;
}

/** A date; its month and day count from 1. */
export type CivilDate = { year: number; month: number; day: number };

/** The date of a day number. */
export function dateOf(day_number: number): CivilDate {
  const shifted = day_number + 719_468;
  const era = Math.floor(shifted / 146_097);
  const day_of_era = shifted - era * 146_097;
  const year_of_era = Math.floor(
    (day_of_era - Math.floor(day_of_era / 1460) + Math.floor(day_of_era / 36_524) - Math.floor(day_of_era / 146_096)) /
      365,
  );
  const day_of_year = day_of_era - (365 * year_of_era + Math.floor(year_of_era / 4) - Math.floor(year_of_era / 100));
  const shifted_month = Math.floor((5 * day_of_year + 2) / 153);
  const day = day_of_year - Math.floor((153 * shifted_month + 2) / 5) + 1;
  const month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  return { year: year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** The day of the week, 0 for Sunday. */
export const weekdayOf = (day_number: number): number => (((day_number + 4) % 7) + 7) % 7;

/** Whether a year has 366 days. */
export const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** The number of days of a month, counted from 1. */
export const daysInMonth = (year: number, month: number): number => dayOf(year, month + 1, 1) - dayOf(year, month, 1);

const two = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));
const pad = (value: number): string => two[value] ?? String(value);

/** A cache of formatted dates, since the occurrences of one answer fall on the same few days. */
const written_dates = new Map<number, string>();
const max_written = 4000;

/** A day as `YYYY-MM-DD`. */
export function writeDate(day_number: number): string {
  const known = written_dates.get(day_number);
  if (known !== undefined) return known;
  const { year, month, day } = dateOf(day_number);
  const text = `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`;
  if (written_dates.size >= max_written) written_dates.clear();
  written_dates.set(day_number, text);
  return text;
}

/** A cache of formatted times of day: those of one event differ by clock changes only. */
const written_times = new Map<number, string>();

/** The time of day of seconds since midnight, `HH:MM:SS`. */
export function writeTime(second: number): string {
  const known = written_times.get(second);
  if (known !== undefined) return known;
  const text = `${pad(Math.floor(second / 3600))}:${pad(Math.floor(second / 60) % 60)}:${pad(second % 60)}`;
  if (written_times.size >= max_written) written_times.clear();
  written_times.set(second, text);
  return text;
}

/** An instant in seconds since 1970 in wire format: `YYYY-MM-DDTHH:MM:SSZ`. */
export function writeInstant(at_s: number): string {
  const day_number = Math.floor(at_s / day_s);
  return `${writeDate(day_number)}T${writeTime(at_s - day_number * day_s)}Z`;
}

/** Parses `YYYY-MM-DD` to a day number; undefined for a date that does not exist. */
export function readDate(text: string): number | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!parts) return undefined;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return dayOf(year, month, day);
}
