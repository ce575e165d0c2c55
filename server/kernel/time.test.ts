import { expect, it } from 'vitest';
import { wireTime, wireTimeOf } from './time.ts';

it('formats timestamps of the database like dates', () => {
  const expected = '2026-11-25T17:39:27Z';
  for (const text of [
    '2026-11-25 17:39:27+00',
    '2026-11-25 17:39:27.98765+00',
    '2026-11-25T17:39:27.987+00:00',
    '2026-11-25T18:39:27.987+01:00',
    '2026-11-25 12:39:27.987654-05',
    '2026-11-25T17:39:27Z',
  ])
    expect([text, wireTimeOf(text)]).toEqual([text, expected]);
  expect(wireTimeOf(new Date(expected))).toBe(wireTime(new Date(expected)));
});
