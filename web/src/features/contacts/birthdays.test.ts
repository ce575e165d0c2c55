/** Birthdays as the client parses and shows them. */
import { describe, expect, it } from 'vitest';
import { describeBirthday, joinParts, partsOf } from './birthday.ts';

describe('a birthday', () => {
  it('is split into its parts and joined again', () => {
    for (const birthday of ['1990-03-12', '--02-29', '0999-12-01', null])
      expect(joinParts(partsOf(birthday))).toBe(birthday);
    expect(partsOf('--03-01')).toEqual({ day: '1', month: '3', year: '' });
  });

  it('is shown with the age where the year is known', () => {
    const on = (month: number, day: number) => new Date(2026, month - 1, day);
    expect(describeBirthday('--02-29', on(3, 1))).toBe('29 February');
    expect(describeBirthday('1990-03-12', on(3, 11))).toBe('12 March 1990 · 35 years');
    expect(describeBirthday('1990-03-12', on(3, 12))).toBe('12 March 1990 · 36 years');
    expect(describeBirthday('1990-03-12', on(4, 1))).toBe('12 March 1990 · 36 years');
    expect(describeBirthday('2025-01-01', on(2, 1))).toBe('1 January 2025 · 1 year');
    expect(describeBirthday('2030-01-01', on(2, 1))).toBe('1 January 2030');
  });
});
