/** Events as an iCalendar file (RFC 5545), for subscriptions by Google, Apple and Thunderbird. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { scheduleOf, type EventRow } from '../../../domain/calendar/events.ts';
import type { Steps } from '../../../domain/recurrence/recurrence.ts';
import { readRule } from '../../../domain/recurrence/rule-text.ts';
import { localTimeOf, nameOf, placeOf, writeOccurrence, type Schedule } from '../../../domain/recurrence/schedule.ts';
import { fromLocal, toLocal } from '../../../domain/recurrence/zones.ts';
import { default_limits } from '../../../kernel/load/limits.ts';
import { writeBasic, writeZone } from './zone-text.ts';

/** The maximum octets of a line, without its end. */
const max_line_octets = 75;
/** How long a file is written at a time before other requests have their turn. */
const portion_ms = 10;

/**
 * Escapes a text value: separators are escaped, and other control characters, which are not allowed, removed. Readers in
 * some languages also end a line at the separators of Unicode, after which a text could continue with properties.
 */
export const escapeText = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(/\r\n|[\r\n\u0085\u2028\u2029]/g, '\\n')
    .replaceAll(/[;,]/g, (sign) => `\\${sign}`)
    // oxlint-disable-next-line no-control-regex -- control characters are what it removes
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '');

/** The length of a character in UTF-8 (RFC 3629, section 3). */
const octetsOf = (code_point: number): number =>
  code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;

/** Folds a line after at most 75 octets, and never within a character. */
export function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= max_line_octets) return line;
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0) ?? 0);
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
function spanLines(schedule: Schedule, first_s: number, steps: Steps): string[] {
  const { all_day, timezone, rrule, starts_s, ends_s } = schedule;
  const one = placeOf(schedule, localTimeOf(schedule, first_s, steps));
  if (all_day) {
    const span = writeOccurrence(schedule, one);
    return [`DTSTART;VALUE=DATE:${basicDate(span.starts_at)}`, `DTEND;VALUE=DATE:${basicDate(span.ends_at)}`];
  }
  // The second of a repeated time cannot be expressed in local time, so that UTC is used, and a duration instead of an
  // end.
  if (rrule === null && fromLocal(timezone, one.local_s) !== starts_s)
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

function exceptionLine(schedule: Schedule, name: string, steps: Steps): string {
  if (schedule.all_day) return `EXDATE;VALUE=DATE:${basicDate(name)}`;
  const at_s = Math.floor(Date.parse(name) / 1000);
  return timeLine('EXDATE', schedule, at_s, localTimeOf(schedule, at_s, steps));
}

/** Of an event that does not recur, only the exception at its start says anything. */
function exceptionsOf(schedule: Schedule, first_s: number): readonly string[] {
  const { rrule, exdates, timezone } = schedule;
  if (rrule !== null) return exdates;
  const start = nameOf(schedule, placeOf(schedule, toLocal(timezone, first_s)));
  return exdates.filter((name) => name === start);
}

const utc = (moment: Date): string => `${writeBasic(Math.floor(moment.getTime() / 1000))}Z`;

/** The lines of an event; those that may take long are computed one by one. */
function* eventLines(row: EventRow, { host, public_url, reader_id }: Reader, steps: Steps): Generator<string> {
  const schedule = scheduleOf(row);
  const first_s = Math.floor(row.first_at.getTime() / 1000);
  const alarms = row.owner_id === reader_id ? row.reminders : [];
  const is_joinable = row.call_enabled && row.join_code !== null && reader_id !== undefined;
  yield* [
    'BEGIN:VEVENT',
    `UID:${row.id}@${host}`,
    `DTSTAMP:${utc(row.updated_at)}`,
    `CREATED:${utc(row.created_at)}`,
    `LAST-MODIFIED:${utc(row.updated_at)}`,
    `SEQUENCE:${row.revision}`,
    ...spanLines(schedule, first_s, steps),
    ...ruleLine(schedule),
  ];
  for (const name of exceptionsOf(schedule, first_s)) yield exceptionLine(schedule, name, steps);
  yield* [
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

function* calendarLines(rows: EventRow[], reader: Reader): Generator<string> {
  const zones = new Map<string, number>();
  for (const { all_day, timezone, starts_at } of rows) {
    if (all_day || isUtc(timezone)) continue;
    const starts_s = Math.floor(starts_at.getTime() / 1000);
    zones.set(timezone, Math.min(zones.get(timezone) ?? Infinity, starts_s));
  }
  yield* [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Asterism//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Asterism',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  ];
  for (const [zone, from_s] of zones) yield* writeZone(zone, from_s);
  const steps = { left: default_limits.feed_steps };
  for (const row of rows) yield* eventLines(row, reader, steps);
  yield 'END:VCALENDAR';
}

/** The file of some events, with their time zones. Half a million exceptions take seconds: it is written in portions. */
export async function writeCalendar(rows: EventRow[], reader: Reader): Promise<string> {
  const portions: string[] = [];
  let lines: string[] = [];
  let began_ms = performance.now();
  for (const line of calendarLines(rows, reader)) {
    lines.push(foldLine(line), '\r\n');
    if (performance.now() - began_ms < portion_ms) continue;
    portions.push(lines.join(''));
    lines = [];
    await nextTurn();
    began_ms = performance.now();
  }
  return [...portions, ...lines].join('');
}
