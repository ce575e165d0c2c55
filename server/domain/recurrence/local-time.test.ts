import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedOf } from '../../../testing/seed.ts';
import { day_s } from './civil.ts';
import { localTimeOf, measure, nextAfter, type Schedule } from './schedule.ts';
import { fromLocal, offsetSpansBetween, toLocal } from './zones.ts';

const { seed, label } = seedOf(3335);
const second = (at: string) => Date.parse(at) / 1000;
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Pacific/Apia', 'UTC'];
const rules = [
  'FREQ=DAILY',
  'FREQ=HOURLY',
  'FREQ=MINUTELY;INTERVAL=7',
  'FREQ=MINUTELY;INTERVAL=15;UNTIL=20110918T100000Z',
  'FREQ=WEEKLY;BYDAY=SU,SA;BYHOUR=0,1,2,3;BYMINUTE=0,30',
  'FREQ=YEARLY;BYDAY=SU;BYHOUR=2,3;BYMINUTE=15,30;BYSETPOS=1,-1,20,25,30',
  'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=900',
];
const [from_s, to_s] = [second('2010-01-01T00:00:00Z'), second('2013-01-01T00:00:00Z')];

function scheduleFor(timezone: string, rrule: string, local_s: number): Schedule {
  const starts_s = fromLocal(timezone, local_s);
  const open = { starts_s, ends_s: starts_s + 60, all_day: false, timezone, rrule, exdates: [] };
  return { ...open, rule_end_s: measure(open).rule_end_s };
}

/** The same by following the rule from just before the instant. */
function byRule(schedule: Schedule, at_s: number): number {
  const one = nextAfter(schedule, at_s - 1);
  return one?.starts_s === at_s ? one.local_s : toLocal(schedule.timezone, at_s);
}

/** An instant near a clock change of the zone, or anywhere; on the minute, as those of most rules. */
const instantIn = (zone: string) => {
  const turns = offsetSpansBetween(zone, from_s, to_s)
    .map((span) => span.from_s)
    .filter(Number.isFinite);
  const anywhere = fc.integer({ min: from_s, max: to_s }).map((at_s) => at_s - (at_s % 60));
  const near = fc.tuple(fc.constantFrom(...turns, from_s), fc.integer({ min: -30 * 60, max: 30 * 60 }));
  return fc.oneof(
    anywhere,
    near.map(([turn_s, minutes]) => turn_s + minutes * 60),
  );
};

describe('the local time of an occurrence', () => {
  it(`is the one that the rule names, at clock changes too (${label})`, () => {
    const cases = fc.constantFrom(...zones).chain((zone) =>
      fc.record({
        zone: fc.constant(zone),
        rule: fc.constantFrom(...rules),
        start: fc.integer({ min: 0, max: 24 * 4 }).map((quarters) => from_s + day_s + quarters * 900),
        instants: fc.array(instantIn(zone), { minLength: 20, maxLength: 20 }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ zone, rule, start, instants }) => {
        const schedule = scheduleFor(zone, rule, start);
        for (const at_s of instants)
          expect([zone, rule, at_s, localTimeOf(schedule, at_s, { left: 30_000 })]).toEqual([
            zone,
            rule,
            at_s,
            byRule(schedule, at_s),
          ]);
      }),
      { seed, numRuns: 300 },
    );
  });

  it('needs no steps away from gaps, and few just after one', () => {
    const schedule = scheduleFor('Europe/Berlin', 'FREQ=DAILY', second('2026-03-01T02:30:00Z'));
    const steps = { left: 1000 };
    expect(localTimeOf(schedule, second('2026-03-28T01:30:00Z'), steps)).toBe(second('2026-03-28T02:30:00Z'));
    expect(localTimeOf(schedule, second('2026-10-25T00:30:00Z'), steps)).toBe(second('2026-10-25T02:30:00Z'));
    expect(steps.left).toBe(1000);
    expect(localTimeOf(schedule, second('2026-03-29T01:30:00Z'), steps)).toBe(second('2026-03-29T02:30:00Z'));
    expect(steps.left).toBeGreaterThan(990);
    expect(steps.left).toBeLessThan(1000);
    // Without steps, it is what the clock shows.
    expect(localTimeOf(schedule, second('2026-03-29T01:30:00Z'), { left: 0 })).toBe(second('2026-03-29T03:30:00Z'));
  });
});

describe('a step budget', () => {
  const leap_days = scheduleFor(
    'UTC',
    'FREQ=MINUTELY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=29',
    second('2026-03-01T09:00:00Z'),
  );

  it('is shared by searches for next occurrences, which then find nothing', () => {
    const steps = { left: 1000 };
    expect(nextAfter(leap_days, leap_days.starts_s, steps)?.starts_s).toBe(second('2028-02-29T00:05:00Z'));
    expect(steps.left).toBeLessThan(300);
    expect(nextAfter(leap_days, leap_days.starts_s, steps)).toBeUndefined();
    expect(steps.left).toBe(0);
  });

  it('bounds the work for a rule with a time for every minute of a year', () => {
    const list = (count: number) => Array.from({ length: count }, (_, at) => at).join(',');
    const rule = `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${list(24)};BYMINUTE=${list(60)}`;
    const minutes = scheduleFor('UTC', rule, second('2026-01-01T00:00:00Z'));
    const began_ms = process.cpuUsage().user / 1000;
    for (let at = 0; at < 400; at++) nextAfter(minutes, second('2026-12-30T00:00:00Z'));
    expect(process.cpuUsage().user / 1000 - began_ms).toBeLessThan(500);
  });
});
