import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { scheduleOf, type EventRow } from '../../../domain/calendar/events.ts';
import { measure, occurrencesIn } from '../../../domain/recurrence/schedule.ts';
import { createCalendarRows as makeRows } from '../../../testing/samples/calendar-rows.ts';
import { escapeText, foldLine, writeCalendar } from './calendar-text.ts';
import { slow } from '../../../../testing/slow-tests.ts';

const reader = { host: 'asterism.test', public_url: 'http://asterism.test', reader_id: 'usr_1' };

describe('iCalendar output', () => {
  it('has lines of at most 75 octets that end in CRLF and split no character', async () => {
    const text = await writeCalendar(makeRows(), reader);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text).not.toContain('\uFFFD');
    expect(foldLine('ä'.repeat(60)).split('\r\n ').join('')).toBe('ä'.repeat(60));
  });

  it('escapes separators and line breaks, and removes control characters', () => {
    expect(escapeText('a\\b;c,d\r\ne\rf\ng\u0000h\u0007')).toBe('a\\\\b\\;c\\,d\\ne\\nf\\ngh');
  });

  it.each(['\u0085', '\u2028', '\u2029', '\u000B', '\u000C', '\u001C', '\u001D', '\u001E'])(
    'has no %j of a text, at which Python ends lines',
    async (separator) => {
      const [row] = makeRows();
      if (!row) throw new Error('there is no event');
      const smuggled = `Lunch${separator}ATTACH:https://evil.example`;
      const text = await writeCalendar(
        [{ ...row, title: smuggled, description: smuggled, location: smuggled }],
        reader,
      );
      expect(text).not.toContain(separator);
    },
  );

  it('is parsed by ical.js with the same titles, revisions, alarms and occurrences', slow, async () => {
    const rows = makeRows();
    const root = ICAL.Component.fromString(await writeCalendar(rows, reader));
    for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(new ICAL.Timezone(zone));
    const read = new Map(
      root
        .getAllSubcomponents('vevent')
        .map((component) => [String(component.getFirstPropertyValue('uid')).split('@')[0], component]),
    );
    expect(read.size).toBe(rows.length);
    for (const row of rows) {
      const component = read.get(row.id);
      if (!component) throw new Error(`${row.id} is missing`);
      expect(component.getFirstPropertyValue('summary')).toBe(
        row.title.replaceAll(/\r\n|\r/g, '\n').replaceAll('\u0007', ''),
      );
      expect(component.getFirstPropertyValue('sequence')).toBe(row.revision);
      expect(component.getAllSubcomponents('valarm')).toHaveLength(row.reminders.length);
      expect([row.title, row.timezone, row.rrule, expandIcal(component)]).toEqual([
        row.title,
        row.timezone,
        row.rrule,
        expandOwn(row),
      ]);
    }
  });

  it('begins with the first occurrence, also when the start is the second of a repeated time', async () => {
    const starts_s = Date.parse('2026-10-25T01:45:00Z') / 1000;
    const rule = { timezone: 'Europe/Berlin', rrule: 'FREQ=DAILY;COUNT=5', all_day: false, exdates: [] };
    const { first_s, rule_end_s } = measure({ ...rule, starts_s, ends_s: starts_s + 5400 });
    const times = [starts_s, starts_s + 5400, first_s].map((at_s) => new Date(at_s * 1000));
    const [starts_at, ends_at, first_at] = times as [Date, Date, Date];
    const rows = makeRows()
      .slice(0, 1)
      .map((row) => ({ ...row, ...rule, rule_end_s, starts_at, ends_at, first_at }));
    const root = ICAL.Component.fromString(await writeCalendar(rows, reader));
    const [component] = root.getAllSubcomponents('vevent');
    const steps = new ICAL.Event(component).iterator();
    // As local times: of a repeated one ical.js takes the second.
    const found = Array.from({ length: 6 }, () => steps.next()?.toString());
    const days = ['2026-10-25', '2026-10-26', '2026-10-27', '2026-10-28', '2026-10-29'];
    expect(found).toEqual([...days.map((day) => `${day}T02:45:00`), undefined]);
  });

  it('contains the time zones of its events, with past and current rules', async () => {
    for (const zone of Intl.supportedValuesOf('timeZone').filter((_, at) => at % 7 === 0)) {
      const times = Array.from({ length: 40 }, (_, at) => Date.UTC(2019, at * 2, 15, 12));
      const rows = makeRows()
        .slice(0, 1)
        .map((row) => ({
          ...row,
          timezone: zone,
          starts_at: new Date(times[0] ?? 0),
          ends_at: new Date((times[0] ?? 0) + 1000),
        }));
      const root = ICAL.Component.fromString(await writeCalendar(rows, reader));
      const found = root.getAllSubcomponents('vtimezone').map((component) => new ICAL.Timezone(component))[0];
      for (const at of found ? times : []) {
        const { year, month, day, hour, minute, second } =
          Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        const time = new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, found as ICAL.Timezone);
        expect([zone, new Date(at).toISOString(), time.toUnixTime() * 1000]).toEqual([
          zone,
          new Date(at).toISOString(),
          at,
        ]);
      }
    }
  }, 30_000);
});

const max_occurrences = 40;

/** Returns the start times of an event according to the recurrence and time zones of ical.js. */
function expandIcal(component: ICAL.Component): number[] {
  const event = new ICAL.Event(component);
  const steps = event.iterator();
  const found: number[] = [];
  for (let next = steps.next(); next && found.length < max_occurrences; next = steps.next())
    found.push(next.toUnixTime());
  return found;
}

/** Returns the start times according to our schedule. All-day events float, and ical.js places them in UTC. */
function expandOwn(row: EventRow): number[] {
  const schedule = scheduleOf(row);
  const found = occurrencesIn(schedule, schedule.starts_s, schedule.starts_s + 3650 * 86_400, max_occurrences);
  return found.map((occurrence) => (row.all_day ? occurrence.local_s : occurrence.starts_s));
}
