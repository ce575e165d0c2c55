import { describe, expect, it } from 'vitest';
import { describeAge } from './age.ts';

const NOW = Date.parse('2031-05-14T18:20:00Z');
const before = (age_s: number) => describeAge(new Date(NOW - age_s * 1000).toISOString(), NOW);

describe('describeAge', () => {
  it('counts minutes within an hour and hours within a day, rounded down', () => {
    expect(before(59)).toBe('just now');
    expect(before(60)).toBe('1 min');
    expect(before(3_599)).toBe('59 min');
    expect(before(3_600)).toBe('1 h');
    expect(before(2 * 3_600 - 1)).toBe('1 h');
    expect(before(86_399)).toBe('23 h');
  });

  it('names a day that no other day of the week could be, then the date, with the year if it is another one', () => {
    expect(before(86_400)).toBe('Tue');
    expect(before(6 * 86_400 - 1)).toBe('Thu');
    expect(before(6 * 86_400)).toBe('May 8');
    expect(before(365 * 86_400)).toBe('May 14, 2030');
  });
});
