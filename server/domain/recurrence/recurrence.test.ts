import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedOf } from '../../../testing/seed.ts';
import { day_s } from './civil.ts';
import { readRule, RuleError } from './rule-text.ts';
import { measure, nextAfter, occurrencesIn, writeOccurrence, type Schedule } from './schedule.ts';
import { slow } from '../../../testing/slow-tests.ts';

const { seed, label } = seedOf(5545);
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'America/Santiago',
  'Asia/Kolkata',
  'Pacific/Apia',
];
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

function schedule(zone: string, starts_at: string, rrule: string, length_s = 3600): Schedule {
  const starts_s = Date.parse(starts_at) / 1000;
  const open = { starts_s, ends_s: starts_s + length_s, all_day: false, timezone: zone, rrule, exdates: [] };
  return { ...open, rule_end_s: measure(open).rule_end_s };
}

const startsOf = (event: Schedule, from: string, to: string): string[] =>
  occurrencesIn(event, Date.parse(from) / 1000, Date.parse(to) / 1000).map(
    (each) => writeOccurrence(event, each).starts_at,
  );

/** The wall clock of a zone by Intl, which is independent of the implementation under test. */
const clocks = new Map<string, Intl.DateTimeFormat>();
function wallClock(zone: string, at_ms: number): number {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clocks.set(zone, clock);
  }
  const part = Object.fromEntries(clock.formatToParts(at_ms).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(
    part['year'] ?? 0,
    (part['month'] ?? 1) - 1,
    part['day'],
    part['hour'],
    part['minute'],
    part['second'],
  );
}

/** The first moment at which a zone's clock shows a time; by the offset before it, where the time is skipped. */
function instantOf(zone: string, local_ms: number): number {
  const offsets = [-2, -1, 0, 1, 2].map((days) => {
    const at = local_ms + days * 86_400_000;
    return wallClock(zone, at) - at;
  });
  const fits = offsets.map((offset) => local_ms - offset).filter((at) => wallClock(zone, at) === local_ms);
  return fits.length > 0 ? Math.min(...fits) : local_ms - (offsets[0] ?? 0);
}

type Plain = {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  interval: number;
  days?: { nth: number; weekday: number }[];
  month_days?: number[];
  months?: number[];
  positions?: number[];
  week_start: number;
};

const startOfWeek = (day: Date, week_start: number): number =>
  Math.floor(day.getTime() / 86_400_000) - ((day.getUTCDay() - week_start + 7) % 7);

/** The number of the period that contains a day. */
function periodOf(rule: Plain, day: Date): number {
  if (rule.freq === 'YEARLY') return day.getUTCFullYear();
  if (rule.freq === 'MONTHLY') return day.getUTCFullYear() * 12 + day.getUTCMonth();
  return rule.freq === 'WEEKLY' ? startOfWeek(day, rule.week_start) / 7 : Math.floor(day.getTime() / 86_400_000);
}

/** Whether a day is the nth of its weekday in the month or the year, by counting. */
function isNthWeekday(day: Date, nth: number, in_month: boolean): boolean {
  const same = [];
  const at = new Date(Date.UTC(day.getUTCFullYear(), in_month ? day.getUTCMonth() : 0, 1));
  const inside = () =>
    at.getUTCFullYear() === day.getUTCFullYear() && (!in_month || at.getUTCMonth() === day.getUTCMonth());
  for (; inside(); at.setUTCDate(at.getUTCDate() + 1)) if (at.getUTCDay() === day.getUTCDay()) same.push(at.getTime());
  return same.at(nth > 0 ? nth - 1 : nth) === day.getTime();
}

function isNamed(rule: Plain, start: Date, day: Date): boolean {
  const { freq, days, month_days, months } = rule;
  const length = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  if (months && !months.includes(day.getUTCMonth() + 1)) return false;
  if (
    month_days &&
    !month_days.some((month_day) => (month_day > 0 ? month_day : length + 1 + month_day) === day.getUTCDate())
  )
    return false;
  const in_month = freq === 'MONTHLY' || months !== undefined;
  const isDay = ({ nth, weekday }: { nth: number; weekday: number }) =>
    day.getUTCDay() === weekday && (nth === 0 || isNthWeekday(day, nth, in_month));
  if (days && !days.some(isDay)) return false;
  if (days || month_days) return true;
  if (freq === 'WEEKLY') return day.getUTCDay() === start.getUTCDay();
  if (freq === 'DAILY') return true;
  if (freq === 'YEARLY' && !months && day.getUTCMonth() !== start.getUTCMonth()) return false;
  return day.getUTCDate() === start.getUTCDate();
}

/** The times of a rule by brute force: all matching days of each period, of which positions are then selected. */
function expand(rule: Plain, start_ms: number, last_ms: number): number[] {
  const midnight = Math.floor(start_ms / 86_400_000) * 86_400_000;
  const start = new Date(midnight);
  // Positions refer to whole periods, including the part before the start.
  const from = rule.freq === 'YEARLY' ? 366 : 31;
  const periods = new Map<number, number[]>();
  for (let at = midnight - from * 86_400_000; at <= last_ms + from * 86_400_000; at += 86_400_000) {
    const day = new Date(at);
    const period = periodOf(rule, day);
    const first = periodOf(rule, start);
    const offset_in_periods = rule.freq === 'WEEKLY' ? Math.round(period - first) : period - first;
    if (offset_in_periods < 0 || offset_in_periods % rule.interval !== 0 || !isNamed(rule, start, day)) continue;
    periods.set(period, [...(periods.get(period) ?? []), at + (start_ms - midnight)]);
  }
  return [...periods.values()].flatMap((set) =>
    rule.positions
      ? set.filter((_, at) =>
          rule.positions?.some((position) => (position > 0 ? position - 1 : set.length + position) === at),
        )
      : set,
  );
}

function write({ freq, interval, days, month_days, months, positions, week_start }: Plain, end: string): string {
  const parts = [
    `FREQ=${freq}`,
    `INTERVAL=${interval}`,
    ...(days ? [`BYDAY=${days.map(({ nth, weekday }) => `${nth || ''}${weekdays[weekday]}`).join(',')}`] : []),
    ...(month_days ? [`BYMONTHDAY=${month_days.join(',')}`] : []),
    ...(months ? [`BYMONTH=${months.join(',')}`] : []),
    ...(positions ? [`BYSETPOS=${positions.join(',')}`] : []),
    `WKST=${weekdays[week_start]}`,
  ];
  return parts.join(';') + end;
}

const some = <T>(values: fc.Arbitrary<T>) =>
  fc.option(fc.uniqueArray(values, { minLength: 1, maxLength: 3 }), { nil: undefined });
const signed = (max: number) => fc.oneof(fc.integer({ min: 1, max: max }), fc.integer({ min: -max, max: -1 }));
const rules: fc.Arbitrary<Plain> = fc
  .record({
    freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    interval: fc.integer({ min: 1, max: 4 }),
    days: some(fc.record({ nth: fc.oneof(fc.constant(0), signed(5)), weekday: fc.integer({ min: 0, max: 6 }) })),
    month_days: some(signed(31)),
    months: some(fc.integer({ min: 1, max: 12 })),
    positions: some(signed(3)),
    week_start: fc.integer({ min: 0, max: 6 }),
  })
  .map((rule) => {
    const is_short = rule.freq === 'DAILY' || rule.freq === 'WEEKLY';
    const days = is_short ? rule.days?.map(({ weekday }) => ({ nth: 0, weekday })) : rule.days;
    const month_days = rule.freq === 'WEEKLY' ? undefined : rule.month_days;
    const has_part = days !== undefined || month_days !== undefined || rule.months !== undefined;
    return { ...rule, days, month_days, positions: has_part ? rule.positions : undefined } as Plain;
  });
const starts = fc.record({
  zone: fc.constantFrom(...zones),
  // Often in the hours of daylight saving changes.
  at_ms: fc
    .record({
      day: fc.integer({ min: 15_000, max: 21_000 }),
      half_hour: fc.oneof(fc.integer({ min: 0, max: 47 }), fc.integer({ min: 0, max: 8 })),
    })
    .map(({ day, half_hour }) => day * 86_400_000 + half_hour * 1_800_000),
});
const ends = fc.oneof(
  fc.constant({ kind: 'none' as const }),
  fc.integer({ min: 1, max: 30 }).map((count) => ({ kind: 'count' as const, count })),
  fc.integer({ min: 0, max: 900 }).map((days) => ({ kind: 'until' as const, days })),
);

describe('BYSETPOS with very many times', () => {
  it('is computed without listing the times', () => {
    const all = (count: number) => Array.from({ length: count }, (_, at) => at).join(',');
    const rule = `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${all(24)};BYMINUTE=${all(60)};BYSETPOS=1,366,-1,-366`;
    const event = schedule('UTC', '2027-01-01T00:00:00Z', rule, 60);
    const first = ['2027-01-01T00:00:00Z', '2027-01-01T06:05:00Z', '2027-12-31T17:54:00Z', '2027-12-31T23:59:00Z'];
    expect(startsOf(event, '2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z')).toEqual(first);
    // Each year has half a million times: listing them 300 times took a minute.
    const started_ms = performance.now();
    for (let at = 0; at < 300; at++) startsOf(event, '2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z');
    expect(performance.now() - started_ms).toBeLessThan(10_000);
  });
});

describe('the step limit that the events of one response share', () => {
  it('is consumed by each event, and yields no occurrences once it is used up', () => {
    const event = schedule('UTC', '2027-01-01T00:00:00Z', 'FREQ=SECONDLY', 1);
    const from_s = event.starts_s + 86_400;
    const steps = { left: 2_500 };
    const found = Array.from({ length: 4 }, () => occurrencesIn(event, from_s, from_s + 86_400, 1000, steps).length);
    expect(found[0]).toBe(1000);
    expect(found.at(-1)).toBe(0);
    expect(found.reduce((sum, count) => sum + count, 0)).toBeLessThan(2_500);
    expect(steps.left).toBeLessThanOrEqual(0);
  });
});

describe('recurrence', () => {
  it(`equals a brute-force expansion day by day (${label})`, slow, () => {
    let compared = 0;
    fc.assert(
      fc.property(rules, starts, ends, (rule, { zone, at_ms: local_ms }, end) => {
        const start_ms = instantOf(zone, local_ms);
        // The start is a moment; its wall clock time recurs.
        const shown_ms = wallClock(zone, start_ms);
        const until_ms = end.kind === 'until' ? start_ms + end.days * 86_400_000 + 7_200_000 : Infinity;
        const until = new Date(Number.isFinite(until_ms) ? until_ms : 0).toISOString().replaceAll(/[-:]|\.\d+/g, '');
        const text = write(
          rule,
          end.kind === 'count' ? `;COUNT=${end.count}` : end.kind === 'until' ? `;UNTIL=${until}` : '',
        );
        const span_days = 1500;
        const named = expand(rule, shown_ms, shown_ms + span_days * 86_400_000).filter((at) => at >= shown_ms);
        const counted = end.kind === 'count' ? named.slice(0, end.count) : named;
        const placed = counted.filter(
          (at) => wallClock(zone, until_ms === Infinity ? 0 : until_ms) >= at || until_ms === Infinity,
        );
        const to_ms = start_ms + span_days * 86_400_000 - 5 * 86_400_000;
        const expected = [...new Set(placed.map((at) => instantOf(zone, at)))].filter((at) => at < to_ms);
        const open = {
          starts_s: start_ms / 1000,
          ends_s: start_ms / 1000 + 1800,
          all_day: false,
          timezone: zone,
          rrule: text,
          exdates: [],
        };
        let event: Schedule;
        try {
          event = { ...open, rule_end_s: measure(open).rule_end_s };
        } catch (error) {
          expect(error).toBeInstanceOf(RuleError);
          expect([text, expected]).toEqual([text, []]);
          return;
        }
        const found = occurrencesIn(event, start_ms / 1000 - 1, to_ms / 1000, 2000).map(
          ({ starts_s }) => starts_s * 1000,
        );
        expect([text, zone, found]).toEqual([text, zone, expected.sort((a, b) => a - b)]);
        compared += found.length;
        // Any window contains the same occurrences as the whole, and nextAfter returns the following one.
        const middle_ms = (expected[Math.floor(expected.length / 2)] ?? start_ms) - 1000;
        const part = occurrencesIn(event, middle_ms / 1000, middle_ms / 1000 + 40 * day_s);
        const same = expected.filter(
          (at) => at + 1_800_000 > middle_ms && at < middle_ms + 40 * 86_400_000 && at < to_ms,
        );
        expect(part.map(({ starts_s }) => starts_s * 1000).filter((at) => at < to_ms)).toEqual(same);
        const next = nextAfter(event, middle_ms / 1000);
        const after = expected.find((at) => at > middle_ms);
        if (after !== undefined) expect(next && next.starts_s * 1000).toBe(after);
      }),
      { seed, numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(1000);
  });

  it('keeps the wall clock across daylight saving changes in both hemispheres', () => {
    const berlin = schedule('Europe/Berlin', '2026-03-27T01:30:00Z', 'FREQ=DAILY');
    // 02:30 is skipped on the 29th: by the offset before, it is 03:30 summer time.
    expect(startsOf(berlin, '2026-03-27T00:00:00Z', '2026-03-31T00:00:00Z')).toEqual([
      '2026-03-27T01:30:00Z',
      '2026-03-28T01:30:00Z',
      '2026-03-29T01:30:00Z',
      '2026-03-30T00:30:00Z',
    ]);
    // 02:30 occurs twice on the 25th of October: the first is used.
    expect(startsOf(berlin, '2026-10-24T00:00:00Z', '2026-10-27T00:00:00Z')).toEqual([
      '2026-10-24T00:30:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ]);
    const howe = schedule('Australia/Lord_Howe', '2026-10-02T15:45:00Z', 'FREQ=DAILY');
    expect(startsOf(howe, '2026-10-02T00:00:00Z', '2026-10-05T00:00:00Z')).toEqual([
      '2026-10-02T15:45:00Z',
      '2026-10-03T15:45:00Z',
      '2026-10-04T15:15:00Z',
    ]);
  });

  it('includes all days of an all-day event in a zone where midnight is skipped', () => {
    const at_s = Date.parse('2026-09-05T04:00:00Z') / 1000;
    const open = {
      starts_s: at_s,
      ends_s: at_s + day_s,
      all_day: true,
      timezone: 'America/Santiago',
      rrule: 'FREQ=DAILY;COUNT=3',
      exdates: ['2026-09-06'],
    };
    const days: Schedule = { ...open, rule_end_s: measure(open).rule_end_s };
    const found = occurrencesIn(days, at_s - day_s, at_s + 9 * day_s).map((occurrence) =>
      writeOccurrence(days, occurrence),
    );
    expect(found).toEqual([
      { starts_at: '2026-09-05', ends_at: '2026-09-06' },
      { starts_at: '2026-09-07', ends_at: '2026-09-08' },
    ]);
  });

  it.each([
    'FREQ=SECONDLY',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3',
    'FREQ=MINUTELY;BYDAY=MO',
    'FREQ=HOURLY;BYMONTH=1',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
    'FREQ=YEARLY;BYYEARDAY=-1;BYDAY=SU',
    'FREQ=YEARLY;BYWEEKNO=53',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY;INTERVAL=9999;BYMONTH=2;BYMONTHDAY=30',
    `FREQ=DAILY;BYSECOND=${Array.from({ length: 60 }, (_, at) => at).join(',')};BYMINUTE=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23`,
  ])('takes less than a second for %s', (rrule) => {
    const started = process.cpuUsage().user;
    let event: Schedule | undefined;
    try {
      event = schedule('Europe/Berlin', '2026-03-27T01:30:00Z', rrule);
    } catch (error) {
      expect(error).toBeInstanceOf(RuleError);
    }
    if (event) {
      startsOf(event, '2027-01-01T00:00:00Z', '2028-02-01T00:00:00Z');
      nextAfter(event, Date.parse('2999-01-01') / 1000);
    }
    expect((process.cpuUsage().user - started) / 1000).toBeLessThan(1000);
  });

  it.each([
    '',
    'FREQ',
    'FREQ=DAILY;FREQ=DAILY',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;COUNT=-1',
    'FREQ=DAILY;BYDAY=1MO',
    'FREQ=WEEKLY;BYMONTHDAY=1',
    'FREQ=MONTHLY;BYWEEKNO=1',
    'FREQ=MONTHLY;BYYEARDAY=1',
    'FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO',
    'FREQ=DAILY;BYSETPOS=1',
    'FREQ=DAILY;UNTIL=20260230',
    'FREQ=DAILY;BYMONTH=13',
    'FREQ=DAILY;X=1',
    'FREQ=DAILY\n;COUNT=1',
  ])('rejects %j', (text) => {
    expect(() => readRule(text)).toThrow(RuleError);
  });
});
