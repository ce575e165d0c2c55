import { expect, test } from 'vitest';
import { Limiter, LIMITER_DELAY } from './limiter.ts';

/** Limits the same audio on both channels, in blocks of 960 samples as in a mixdown. */
function limit(samples: number[]): Float32Array {
  const both = Float32Array.from(
    [...samples, ...Array.from({ length: LIMITER_DELAY }, () => 0)].flatMap((sample) => [sample, -sample]),
  );
  const limiter = new Limiter(0.95);
  for (let at = 0; at < both.length; at += 1920) limiter.process(both.subarray(at, at + 1920));
  return both.filter((_, at) => at % 2 === 0).subarray(LIMITER_DELAY);
}
const tone = (length: number, amplitude: number) =>
  Array.from({ length }, (_, at) => amplitude * Math.sin((2 * Math.PI * 300 * at) / 48_000));

test('samples below the ceiling are unchanged, apart from the delay', () => {
  const samples = tone(4_800, 0.9);
  expect(limit(samples)).toEqual(Float32Array.from(samples));
});

test('the output does not exceed the ceiling, even for sudden peaks', () => {
  const samples = tone(24_000, 3).map((sample, at) => (at === 5_000 ? 40 : at % 977 === 0 ? -7 : sample));
  const limited = limit(samples);
  expect(limited.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)).toBeLessThanOrEqual(0.9501);
  expect(limited[5_000]).toBeGreaterThan(0.9);
});

test('the gain changes gradually, and recovers within a quarter of a second', () => {
  const limited = limit([
    ...Array.from({ length: 9_600 }, () => 0.5),
    ...tone(480, 4),
    ...Array.from({ length: 24_000 }, () => 0.5),
  ]);
  const steps = limited.subarray(0, 9_600).map((sample, at) => Math.abs(sample - (limited[at - 1] ?? sample)));
  expect(Math.max(...steps)).toBeLessThan(0.5 / 240 + 1e-3);
  expect(limited[0]).toBe(0.5);
  expect(limited[11_000]).toBeLessThan(0.4);
  expect(limited[10_080 + 12_000]).toBeGreaterThan(0.49);
});

test('NaN and Infinity become silence, without effect on later samples', () => {
  const limited = limit([NaN, Infinity, ...tone(2_400, 0.9)]);
  expect([limited[0], limited[1]]).toEqual([0, 0]);
  expect(limited.subarray(2)).toEqual(Float32Array.from(tone(2_400, 0.9)));
});
