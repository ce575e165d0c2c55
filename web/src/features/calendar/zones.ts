/** Time zone conversion, by the browser's own data. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, made);
  return made;
}

/** The time zone of this device. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A wall-clock time. */
export interface WallTime {
  /** YYYY-MM-DD */
  date: string;
  /** HH:MM */
  time: string;
}

/** The wall-clock time of a zone at an instant. */
export function wallTimeAt(moment: Date | number, zone: string): WallTime {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(moment)
      .map((part) => [part.type, part.value]),
  );
  return {
    date: `${parts['year']}-${parts['month']}-${parts['day']}`,
    time: `${parts['hour']}:${parts['minute']}`,
  };
}

/** The UTC offset of a zone at an instant, in milliseconds. */
export function offsetAt(moment: Date | number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(moment)
      .map((part) => [part.type, Number(part.value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const at_ms = Math.floor(Number(moment) / 1000) * 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at_ms;
}

/**
 * The instant of a wall-clock time. A repeated time means the first; one that a clock change skips moves by the gap.
 */
export function momentAt({ date, time }: WallTime, zone: string): Date {
  const as_utc_ms = Date.parse(`${date}T${time}:00Z`);
  // The offsets a day before and a day after: one of the two applies, or the time is skipped.
  const [before_ms, after_ms] = [-86_400_000, 86_400_000].map((shift) => offsetAt(as_utc_ms + shift, zone)) as [
    number,
    number,
  ];
  const moments = [before_ms, after_ms].map((offset) => as_utc_ms - offset).toSorted((a, b) => a - b);
  const shown = moments.find((moment) => moment + offsetAt(moment, zone) === as_utc_ms);
  return new Date(shown ?? as_utc_ms - before_ms);
}

/** Whether two zones show the same time at a moment. */
export const isSameTime = (one: string, other: string, moment: Date | number): boolean =>
  one === other || offsetAt(moment, one) === offsetAt(moment, other);

/** "Vienna" for Europe/Vienna. */
export const nameOfZone = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** Every zone known to the browser, and given ones. */
export function listZones(...with_zones: string[]): string[] {
  return [...new Set([...with_zones, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
