import { expect, test } from 'vitest';
import { Limiter, limiter_delay } from './limiter.ts';

/** Limits one sound on both channels, in pieces of 960 samples as it is mixed. */
function limit(sound: number[]): Float32Array {
  const both = Float32Array.from(
    [...sound, ...Array.from({ length: limiter_delay }, () => 0)].flatMap((sample) => [sample, -sample]),
  );
  const limiter = new Limiter(0.95);
  for (let at = 0; at < both.length; at += 1920) limiter.process(both.subarray(at, at + 1920));
  return both.filter((_, at) => at % 2 === 0).subarray(limiter_delay);
}
const tone = (length: number, amplitude: number) =>
  Array.from({ length }, (_, at) => amplitude * Math.sin((2 * Math.PI * 300 * at) / 48_000));

test('what is below the ceiling comes out as it went in, later by the delay', () => {
  const sound = tone(4_800, 0.9);
  expect(limit(sound)).toEqual(Float32Array.from(sound));
});

test('nothing is louder than the ceiling, however suddenly it comes', () => {
  const sound = tone(24_000, 3).map((sample, at) => (at === 5_000 ? 40 : at % 977 === 0 ? -7 : sample));
  const limited = limit(sound);
  expect(limited.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThanOrEqual(0.9501);
  expect(limited[5_000]).toBeGreaterThan(0.9);
});

test('the gain changes by little from one sample to the next, and comes back within a quarter of a second', () => {
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

test('what is no number is silence, and does no harm to what follows', () => {
  const limited = limit([NaN, Infinity, ...tone(2_400, 0.9)]);
  expect([limited[0], limited[1]]).toEqual([0, 0]);
  expect(limited.subarray(2)).toEqual(Float32Array.from(tone(2_400, 0.9)));
});
