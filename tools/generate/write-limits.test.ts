import { expect, test } from 'vitest';
import { writeLimits } from './write-limits.ts';

const source = `export const limits = {
  /** Apples in a basket. */
  apples: 3,
  /** Pears, by day | by night. */
  pears_by_day: 4 * 250,
  pears_by_night: 2,
};
`;

test('writeLimits lists each limit with its value and meaning', () => {
  expect(writeLimits(source, { apples: 3, pears_by_day: 1000, pears_by_night: 2 })).toEqual([
    '| `apples` | 3 | Apples in a basket. |',
    '| `pears_by_day`, `pears_by_night` | 1,000; 2 | Pears, by day \\| by night. |',
  ]);
});

test('writeLimits rejects a limit without a description', () => {
  expect(() => writeLimits('  apples: 3,\n', { apples: 3 })).toThrow('apples');
});
