import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { scheduleOf, type EventRow } from '../../../domain/calendar/events.ts';
import { occurrencesIn } from '../../../domain/recurrence/schedule.ts';
import { createCalendarRows as makeRows } from '../../../testing/calendar-rows.ts';
import { escapeText, foldLine, writeCalendar } from './calendar-text.ts';

const reader = { host: 'asterism.test', public_url: 'http://asterism.test', reader_id: 'usr_1' };

describe('the calendar file', () => {
  it('has lines of at most 75 octets that end as they should, and no character is cut', () => {
    const text = writeCalendar(makeRows(), reader);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text).not.toContain('\uFFFD');
    expect(foldLine('ä'.repeat(60)).split('\r\n ').join('')).toBe('ä'.repeat(60));
  });

  it('escapes what separates values', () => {
    expect(escapeText('a\\b;c,d\r\ne\rf\ng\u0000h\u0007')).toBe('a\\\\b\\;c\\,d\\ne\\nf\\ngh');
  });

  it('is read by ical.js as it was meant', () => {
    const rows = makeRows();
    const root = ICAL.Component.fromString(writeCalendar(rows, reader));
    for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(new ICAL.Timezone(zone));
    const read = new Map(
      root.getAllSubcomponents('vevent').map((one) => [String(one.getFirstPropertyValue('uid')).split('@')[0], one]),
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

  it('has the zones that its events need, whatever their rules were and are', () => {
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
      const root = ICAL.Component.fromString(writeCalendar(rows, reader));
      const found = root.getAllSubcomponents('vtimezone').map((one) => new ICAL.Timezone(one))[0];
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

const most = 40;

/** The moments that ical.js finds for an event, by its own recurrence and zones. */
function expandIcal(component: ICAL.Component): number[] {
  const event = new ICAL.Event(component);
  const steps = event.iterator();
  const found: number[] = [];
  for (let next = steps.next(); next && found.length < most; next = steps.next()) found.push(next.toUnixTime());
  return found;
}

/** The same by ours. Whole days float, so that ical.js places them in UTC. */
function expandOwn(row: EventRow): number[] {
  const schedule = scheduleOf(row);
  const found = occurrencesIn(schedule, schedule.starts_s, schedule.starts_s + 3650 * 86_400, most);
  return found.map((one) => (row.all_day ? one.local_s : one.starts_s));
}
