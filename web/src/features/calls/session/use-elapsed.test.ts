import { expect, it } from 'vitest';
import { formatClock, startOf, togetherSince } from './use-elapsed.ts';

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

it('counts from when two are in a call, and not how long it rang or one was alone', () => {
  const iso = (seconds: number) => new Date(at(seconds)).toISOString();
  const own = { id: 'own', joined_at: iso(0) };
  const other = (id: string, seconds?: number) => ({ id, joined_at: seconds === undefined ? null : iso(seconds) });
  expect(togetherSince([own, other('a')], own)).toBeUndefined();
  expect(togetherSince([other('a', 5)], undefined)).toBeUndefined();
  expect(togetherSince([own, other('a'), other('b', 60), other('c', 41)], own)).toBe(iso(41));
  // Who joins later counts from then.
  expect(togetherSince([own, other('a', -90)], own)).toBe(own.joined_at);
});
