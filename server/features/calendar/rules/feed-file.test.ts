import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../../domain/calendar/events.ts';
import { writeInstant } from '../../../domain/recurrence/civil.ts';
import { measure } from '../../../domain/recurrence/schedule.ts';
import { createCalendarRows } from '../../../testing/samples/calendar-rows.ts';
import { writeCalendar } from './calendar-text.ts';
import { slow } from '../../../../testing/slow-tests.ts';

const reader = { host: 'asterism.test', public_url: 'http://asterism.test', reader_id: 'usr_1' };
const events_count = 200;
const exdates_count = 500;
const starts_s = Date.parse('2026-03-01T14:00:00Z') / 1000;
const list = (count: number) => Array.from({ length: count }, (_, at) => at).join(',');

/** Many events with one rule and as many exceptions as one may have. */
function heavyRows(rrule: string, exdates: string[]): EventRow[] {
  const schedule = { starts_s, ends_s: starts_s + 60, all_day: false, timezone: 'America/New_York', rrule, exdates };
  const { first_s, rule_end_s } = measure(schedule);
  const [row] = createCalendarRows();
  if (!row) throw new Error('There is no row.');
  return Array.from({ length: events_count }, (_, at) => ({
    ...row,
    id: `evt_${at}`,
    starts_at: new Date(starts_s * 1000),
    ends_at: new Date(schedule.ends_s * 1000),
    first_at: new Date(first_s * 1000),
    timezone: schedule.timezone,
    rrule,
    rule_end_s,
    exdates,
  }));
}

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The file, and the longest turn of the event loop while it was written, in milliseconds of processor time. */
async function writeWatched(rows: EventRow[]): Promise<{ text: string; longest_ms: number; all_ms: number }> {
  let is_done = false;
  let longest_ms = 0;
  let before_ms = cpuMs();
  const began_ms = before_ms;
  const turn = () => {
    const now_ms = cpuMs();
    longest_ms = Math.max(longest_ms, now_ms - before_ms);
    before_ms = now_ms;
    if (!is_done) setImmediate(turn);
  };
  setImmediate(turn);
  const text = await writeCalendar(rows, reader);
  is_done = true;
  turn();
  return { text, longest_ms, all_ms: before_ms - began_ms };
}

const daily = Array.from({ length: exdates_count }, (_, at) => writeInstant(starts_s + at * 86_400));
/** In the hour after a clock change, where the rule is asked. */
const after_gap = Array.from({ length: exdates_count }, (_, at) =>
  writeInstant(Date.parse('2026-03-08T07:00:00Z') / 1000 + at),
);

describe('a feed of many exceptions', () => {
  it.for([
    ['of a rule whose occurrences are far apart', 'FREQ=MINUTELY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=29', daily],
    ['of a daily rule', 'FREQ=DAILY', daily],
    ['after a clock change', `FREQ=YEARLY;BYDAY=SU,MO;BYHOUR=${list(24)};BYMINUTE=${list(60)}`, after_gap],
  ] as const)('%s is written in short turns, and soon', { ...slow, timeout: 600_000 }, async ([, rrule, exdates]) => {
    const { text, longest_ms, all_ms } = await writeWatched(heavyRows(rrule, [...exdates]));
    expect(text.match(/^EXDATE;/gm)).toHaveLength(events_count * exdates_count);
    expect(longest_ms).toBeLessThan(250);
    expect(all_ms).toBeLessThan(3000);
  });
});
