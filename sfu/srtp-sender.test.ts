import { expect, test } from 'vitest';
import { RolloverCounter } from './srtp-sender.ts';

test('counts each new beginning of the sequence numbers once', () => {
  const counter = new RolloverCounter();
  expect([65_533, 65_534, 65_535, 0, 1].map((sequence) => counter.at(sequence))).toEqual([0, 0, 0, 1, 1]);
  for (let sequence = 2; sequence <= 65_535; sequence++) counter.at(sequence);
  expect([counter.at(65_535), counter.at(0)]).toEqual([1, 2]);
});

test('gives a packet that is sent again the count it had, whatever was sent meanwhile', () => {
  const counter = new RolloverCounter();
  for (const sequence of [65_400, 65_535, 99]) counter.at(sequence);
  // From before the beginning, then on: the count of what follows is not touched.
  expect([65_440, 100, 65_500, 101, 0, 102].map((sequence) => counter.at(sequence))).toEqual([0, 1, 0, 1, 1, 1]);
});

test('begins anywhere, and does not count what was overtaken as a beginning', () => {
  const counter = new RolloverCounter();
  expect([3, 2, 65_535, 4].map((sequence) => counter.at(sequence))).toEqual([0, 0, 0, 0]);
});
