import { expect, test } from 'vitest';
import { GapFiller, OpusTimeline, Reordering, samplesOf } from './opus-timeline.ts';

const packet = (sequence: number) => ({ sequence, timestamp: sequence * 960, payload: Buffer.from([0xfc, sequence]) });

test('reads the length of a packet from its first octets', () => {
  const lengths: [number[], number][] = [
    [[0x08], 960],
    [[0x18], 2_880],
    [[0x6c], 960],
    [[0xe0], 120],
    [[0xfc], 960],
    [[0xfd], 1_920],
    [[0xff, 0x03], 2_880],
    [[0xff, 0x3f], 0],
    [[], 0],
  ];
  for (const [octets, samples] of lengths) expect(samplesOf(Buffer.from(octets))).toBe(samples);
});

test('puts overtaken packets back, leaves out doubles, and does not wait for ever', () => {
  const got: number[] = [];
  const order = new Reordering(({ sequence }) => got.push(sequence));
  for (const sequence of [65_534, 0, 65_535, 0, 2, 1, 1]) order.push(packet(sequence), 0);
  expect(got).toEqual([65_534, 65_535, 0, 1, 2]);
  // The third is lost: what follows waits 300 ms for it, or until ten wait.
  order.push(packet(4), 100);
  order.flush(399);
  expect(got).toHaveLength(5);
  order.flush(401);
  expect(got.at(-1)).toBe(4);
  order.push(packet(3), 402);
  expect(got.at(-1)).toBe(4);
  for (let sequence = 6; sequence < 17; sequence++) order.push(packet(sequence), 403);
  expect(got.at(-1)).toBe(16);
  // A stream that begins anew far behind is taken as it is.
  order.push(packet(40_000), 404);
  expect(got.at(-1)).toBe(40_000);
});

test('follows RTP time through loss, DTX and the wrap of its clock', () => {
  const timeline = new OpusTimeline();
  const start = 2 ** 32 - 960;
  const places = [0, 20, 100, 500, 520].map((ms) => timeline.place((start + ms * 48) % 2 ** 32, ms + (ms % 7), false));
  expect(places).toEqual([0, 960, 4_800, 24_000, 24_960]);
});

test('a burst after a stall keeps its places', () => {
  const timeline = new OpusTimeline();
  for (let ms = 0; ms < 5_000; ms += 20) timeline.place(ms * 48, ms, false);
  // Nothing for 1.5 s, then all of it at once.
  for (let ms = 5_000; ms < 6_500; ms += 20) expect(timeline.place(ms * 48, 6_500, false)).toBe(ms * 48);
  for (let ms = 6_500; ms < 9_000; ms += 20) expect(timeline.place(ms * 48, ms, false)).toBe(ms * 48);
});

test('a clock that stood still, or jumped, is put right by ours', () => {
  const muted = new OpusTimeline();
  muted.place(0, 0, false);
  // RTP says 20 ms, the clock 60 s.
  expect(muted.place(960, 60_000, true)).toBe(60_000 * 48);
  expect(muted.place(1_920, 60_020, false)).toBe(60_020 * 48);

  const silent = new OpusTimeline();
  for (let ms = 0; ms < 3_000; ms += 20) silent.place(ms * 48, ms, false);
  let place = 0;
  for (let ms = 3_000; ms < 8_000; ms += 20) place = silent.place(ms * 48, ms + 4_000, false);
  expect(Math.abs(place - (7_980 + 4_000) * 48)).toBeLessThan(100);

  const jumped = new OpusTimeline();
  jumped.place(0, 0, false);
  expect(jumped.place(50_000_000, 20, false)).toBe(960);
  expect(jumped.place(50_000_960, 40, false)).toBe(1_920);
});

test('fills gaps with frames to conceal and then with silence, and leaves out what is past', () => {
  const written: [number, number][] = [];
  const gaps = new GapFiller((bytes, samples) => written.push([bytes.length, samples]));
  const sound = Buffer.from([0x08, 1, 2, 3]);
  gaps.add(sound, 0);
  gaps.add(sound, 3 * 960);
  expect(written).toEqual([
    [4, 960],
    [1, 960],
    [1, 960],
    [4, 960],
  ]);
  gaps.add(sound, 960);
  expect(written).toHaveLength(4);
  gaps.add(sound, (40 + 50) * 960);
  expect(gaps.writtenMs()).toBe(91 * 20);
  expect(written.filter(([bytes]) => bytes === 3).length).toBe(90 - 4 - 25);
  gaps.add(Buffer.from([0xff, 0x3f]), 100 * 960);
  expect(gaps.writtenMs()).toBe(91 * 20);
});
