/** Events as an iCalendar file (RFC 5545), for subscriptions by Google, Apple and Thunderbird. */

import { scheduleOf, type EventRow } from '../../../domain/calendar/events.ts';
import { readRule } from '../../../domain/recurrence/rule-text.ts';
import { nextAfter, writeOccurrence, type Schedule } from '../../../domain/recurrence/schedule.ts';
import { fromLocal, toLocal } from '../../../domain/recurrence/zones.ts';
import { writeBasic, writeZone } from './zone-text.ts';

/** The maximum octets of a line, without its end. */
const max_line_octets = 75;

/** Escapes a text value: separators are escaped, and other control characters, which are not allowed, removed. */
export const escapeText = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/[;,]/g, (sign) => `\\${sign}`)
    // oxlint-disable-next-line no-control-regex -- control characters are what it removes
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '');

/** Folds a line after at most 75 octets, and never within a character. */
export function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= max_line_octets) return line;
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > max_line_octets) {
      parts.push(part);
      part = '';
      // The space that marks a continuation line counts, too.
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join('\r\n ');
}

const isUtc = (zone: string): boolean => /^(etc\/)?(utc|uct|zulu|universal|gmt)$/i.test(zone);
const basicDate = (date: string): string => date.replaceAll('-', '');

/** The start as a property of an event. */
function timeLine(name: string, { all_day, timezone }: Schedule, at_s: number, local_s: number): string {
  if (all_day) return `${name};VALUE=DATE:${writeBasic(local_s).slice(0, 8)}`;
  return isUtc(timezone) ? `${name}:${writeBasic(at_s)}Z` : `${name};TZID=${timezone}:${writeBasic(local_s)}`;
}

/** A rule with its end in the form that the start requires: a date for all-day events, otherwise UTC. */
function ruleLine({ rrule, all_day, timezone }: Schedule): string[] {
  if (rrule === null) return [];
  const { until } = readRule(rrule);
  const text = rrule.toUpperCase();
  if (!until) return [`RRULE:${text}`];
  const local_s = until.kind === 'moment' && !all_day ? toLocal(timezone, until.at_s) : until.at_s;
  const at_s = until.kind === 'moment' ? until.at_s : fromLocal(timezone, until.at_s);
  const written = all_day
    ? writeBasic(until.kind === 'moment' ? toLocal(timezone, until.at_s) : local_s).slice(0, 8)
    : `${writeBasic(at_s)}Z`;
  return [`RRULE:${text.replace(/UNTIL=[^;]*/, `UNTIL=${written}`)}`];
}

/**
 * Start and end. The start is the first occurrence, since readers count a start that does not match the rule as an
 * occurrence.
 */
function spanLines(schedule: Schedule): string[] {
  const { all_day, timezone, rrule, starts_s, ends_s } = schedule;
  const first = rrule === null ? undefined : nextAfter({ ...schedule, exdates: [] }, starts_s - 1);
  const one = first ?? { starts_s, ends_s, local_s: toLocal(timezone, starts_s) };
  if (all_day) {
    const span = writeOccurrence(schedule, one);
    return [`DTSTART;VALUE=DATE:${basicDate(span.starts_at)}`, `DTEND;VALUE=DATE:${basicDate(span.ends_at)}`];
  }
  // The second of a repeated time cannot be expressed in local time, so that UTC is used, and a duration instead of an
  // end.
  if (!first && fromLocal(timezone, one.local_s) !== starts_s)
    return [`DTSTART:${writeBasic(starts_s)}Z`, `DTEND:${writeBasic(ends_s)}Z`];
  const start = timeLine('DTSTART', schedule, one.starts_s, one.local_s);
  const end_local_s = toLocal(timezone, one.ends_s);
  const is_plain =
    fromLocal(timezone, end_local_s) === one.ends_s && end_local_s - one.local_s === one.ends_s - one.starts_s;
  return [
    start,
    is_plain ? timeLine('DTEND', schedule, one.ends_s, end_local_s) : `DURATION:PT${one.ends_s - one.starts_s}S`,
  ];
}

function exceptionLines(schedule: Schedule): string[] {
  return schedule.exdates.map((name) => {
    if (schedule.all_day) return `EXDATE;VALUE=DATE:${basicDate(name)}`;
    const at_s = Math.floor(Date.parse(name) / 1000);
    return timeLine('EXDATE', schedule, at_s, localNameOf(schedule, at_s));
  });
}

/** The local time of an exception: that of its occurrence, which differs where a time does not exist. */
function localNameOf(schedule: Schedule, at_s: number): number {
  const open = { ...schedule, exdates: [] };
  const one = nextAfter(open, at_s - 1);
  return one?.starts_s === at_s ? one.local_s : toLocal(schedule.timezone, at_s);
}

const utc = (moment: Date): string => `${writeBasic(Math.floor(moment.getTime() / 1000))}Z`;

function eventLines(row: EventRow, { host, public_url, reader_id }: Reader): string[] {
  const schedule = scheduleOf(row);
  const alarms = row.owner_id === reader_id ? row.reminders : [];
  const is_joinable = row.call_enabled && row.join_code !== null && reader_id !== undefined;
  return [
    'BEGIN:VEVENT',
    `UID:${row.id}@${host}`,
    `DTSTAMP:${utc(row.updated_at)}`,
    `CREATED:${utc(row.created_at)}`,
    `LAST-MODIFIED:${utc(row.updated_at)}`,
    `SEQUENCE:${row.revision}`,
    ...spanLines(schedule),
    ...ruleLine(schedule),
    ...exceptionLines(schedule),
    `SUMMARY:${escapeText(row.title)}`,
    ...(row.description === null ? [] : [`DESCRIPTION:${escapeText(row.description)}`]),
    ...(row.location === null ? [] : [`LOCATION:${escapeText(row.location)}`]),
    ...(is_joinable ? [`CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:${public_url}/j/${row.join_code}`] : []),
    ...alarms.flatMap((minutes) => [
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      `DESCRIPTION:${escapeText(row.title)}`,
      `TRIGGER:-PT${minutes}M`,
      'END:VALARM',
    ]),
    'END:VEVENT',
  ];
}

/** The reader of a file; without `reader_id`, the holder of a public link. */
export type Reader = { host: string; public_url: string; reader_id?: string };

/** The file of some events, with their time zones. */
export function writeCalendar(rows: EventRow[], reader: Reader): string {
  const zones = new Map<string, number>();
  for (const { all_day, timezone, starts_at } of rows) {
    if (all_day || isUtc(timezone)) continue;
    const starts_s = Math.floor(starts_at.getTime() / 1000);
    zones.set(timezone, Math.min(zones.get(timezone) ?? Infinity, starts_s));
  }
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Asterism//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Asterism',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...[...zones].flatMap(([zone, from_s]) => writeZone(zone, from_s)),
    ...rows.flatMap((row) => eventLines(row, reader)),
    'END:VCALENDAR',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}
