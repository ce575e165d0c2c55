import { describe, expect, it } from 'vitest';
import { nextOccurrence } from './next-occurrence.ts';
import { RuleError } from './rule-text.ts';

const berlin = 'Europe/Berlin';

/** The times of a rule, each computed from the one before, as scheduled jobs do. */
function chain(rrule: string, starts_at: string, max_count: number, timezone = berlin): string[] {
  const found: string[] = [];
  let after = new Date(Date.parse(starts_at) - 1000);
  while (found.length < max_count) {
    const next = nextOccurrence(rrule, new Date(starts_at), timezone, after);
    if (!next) break;
    found.push(next.toISOString().replace('.000', ''));
    after = next;
  }
  return found;
}

describe('nextOccurrence', () => {
  it('keeps the wall clock across daylight saving time, and moves a skipped time by the gap', () => {
    expect(chain('FREQ=DAILY', '2026-03-28T01:30:00Z', 3)).toEqual([
      '2026-03-28T01:30:00Z',
      '2026-03-29T01:30:00Z',
      '2026-03-30T00:30:00Z',
    ]);
    expect(chain('FREQ=DAILY', '2026-10-24T00:30:00Z', 3)).toEqual([
      '2026-10-24T00:30:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ]);
  });

  it('ends with COUNT, from any start of the search', () => {
    expect(chain('FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3', '2026-06-01T07:00:00Z', 9)).toEqual([
      '2026-06-01T07:00:00Z',
      '2026-06-03T07:00:00Z',
      '2026-06-08T07:00:00Z',
    ]);
    const start = new Date('2026-06-01T07:00:00Z');
    expect(nextOccurrence('FREQ=DAILY;COUNT=10000', start, berlin, new Date('2053-10-16T06:59:59Z'))).toEqual(
      new Date('2053-10-16T07:00:00Z'),
    );
    expect(nextOccurrence('FREQ=DAILY;COUNT=10000', start, berlin, new Date('2053-10-16T07:00:00Z'))).toBe(undefined);
  });

  it('ends with UNTIL, which is inclusive', () => {
    const times = ['2026-06-01T07:00:00Z', '2026-06-02T07:00:00Z'];
    for (const until of ['20260602', '20260602T070000Z', '20260602T090000'])
      expect([until, chain(`FREQ=DAILY;UNTIL=${until}`, '2026-06-01T07:00:00Z', 9)]).toEqual([until, times]);
    expect(chain('FREQ=DAILY;UNTIL=20260602T065959Z', '2026-06-01T07:00:00Z', 9)).toEqual(times.slice(0, 1));
  });

  it('returns undefined for a rule without occurrences, and throws RuleError for an invalid rule', () => {
    const now = new Date('2026-06-01T07:00:00Z');
    expect(nextOccurrence('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', now, berlin, now)).toBe(undefined);
    expect(() => nextOccurrence('FREQ=NEVER', now, berlin, now)).toThrow(RuleError);
  });
});
