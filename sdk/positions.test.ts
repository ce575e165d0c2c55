import { expect, it } from 'vitest';
import { comparePositions } from './positions.ts';

it('compares positions by their transaction, then by their place in it, as numbers', () => {
  expect(comparePositions('s1.9.5', 's1.10.1')).toBe(-1);
  expect(comparePositions('s1.10.10', 's1.10.9')).toBe(1);
  expect(comparePositions('s1.10.9', 's1.10.9')).toBe(0);
  expect(comparePositions('s1.18446744073709551615.1', 's1.18446744073709551614.1')).toBe(1);
});

it('does not compare positions of different streams, or what is none', () => {
  expect(comparePositions('s1.9.5', 's2.9.5')).toBeUndefined();
  expect(comparePositions('s1.9.5', '')).toBeUndefined();
  expect(comparePositions('s1.9', 's1.9.5')).toBeUndefined();
});
