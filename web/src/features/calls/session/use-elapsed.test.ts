import { expect, it } from 'vitest';
import { formatClock, startOf } from './use-elapsed.ts';

const since = '2026-11-20T10:00:00.000Z';
const at = (seconds: number) => Date.parse(since) + seconds * 1_000;

it('counts from the time of the service', () => {
  const start_ms = startOf(since, at(72));
  expect(formatClock(at(72) - start_ms)).toBe('1:12');
  expect(formatClock(at(4_000) - start_ms)).toBe('1:06:40');
});

it('counts from when it is first shown where the clock of the device is behind', () => {
  const start_ms = startOf(since, at(-300));
  expect(formatClock(at(-300) - start_ms)).toBe('0:00');
  expect(formatClock(at(-295) - start_ms)).toBe('0:05');
});
