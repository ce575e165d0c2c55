import { expect, test } from 'vitest';
import { JitterBuffer, RtpTimeline } from './rtp-timeline.ts';

const packet = (sequence: number) => ({
  sequence,
  timestamp: sequence * 960,
  marker: false,
  payload: Buffer.from([0xfc, sequence]),
});

test('reorders packets, drops duplicates, and waits for a limited time', () => {
  const delivered: number[] = [];
  const order = new JitterBuffer(({ sequence }) => delivered.push(sequence));
  for (const sequence of [65_534, 0, 65_535, 0, 2, 1, 1]) order.push(packet(sequence), 0);
  expect(delivered).toEqual([65_534, 65_535, 0, 1, 2]);
  // The third is lost: later packets wait 300 ms for it, or until ten are waiting.
  order.push(packet(4), 100);
  order.flush(399);
  expect(delivered).toHaveLength(5);
  order.flush(401);
  expect(delivered.at(-1)).toBe(4);
  order.push(packet(3), 402);
  expect(delivered.at(-1)).toBe(4);
  for (let sequence = 6; sequence < 17; sequence++) order.push(packet(sequence), 403);
  expect(delivered.at(-1)).toBe(16);
  // A stream that restarts at a distant number is accepted.
  order.push(packet(40_000), 404);
  expect(delivered.at(-1)).toBe(40_000);
});

test('follows RTP time through loss, DTX and the wrap of its timestamps', () => {
  const timeline = new RtpTimeline(48_000);
  const start = 2 ** 32 - 960;
  const places = [0, 20, 100, 500, 520].map((ms) => timeline.place((start + ms * 48) % 2 ** 32, ms + (ms % 7), false));
  expect(places).toEqual([0, 960, 4_800, 24_000, 24_960]);
});

test('keeps the positions of a burst after a stall', () => {
  const timeline = new RtpTimeline(48_000);
  for (let ms = 0; ms < 5_000; ms += 20) timeline.place(ms * 48, ms, false);
  // No packets for 1.5 s, then all at once.
  for (let ms = 5_000; ms < 6_500; ms += 20) expect(timeline.place(ms * 48, 6_500, false)).toBe(ms * 48);
  for (let ms = 6_500; ms < 9_000; ms += 20) expect(timeline.place(ms * 48, ms, false)).toBe(ms * 48);
});

test('corrects an RTP clock that stood still or jumped by the local clock', () => {
  const muted = new RtpTimeline(48_000);
  muted.place(0, 0, false);
  // 20 ms by RTP, 60 s by the local clock.
  expect(muted.place(960, 60_000, true)).toBe(60_000 * 48);
  expect(muted.place(1_920, 60_020, false)).toBe(60_020 * 48);

  const silent = new RtpTimeline(48_000);
  for (let ms = 0; ms < 3_000; ms += 20) silent.place(ms * 48, ms, false);
  let place = 0;
  for (let ms = 3_000; ms < 8_000; ms += 20) place = silent.place(ms * 48, ms + 4_000, false);
  expect(Math.abs(place - (7_980 + 4_000) * 48)).toBeLessThan(100);

  const jumped = new RtpTimeline(48_000);
  jumped.place(0, 0, false);
  expect(jumped.place(50_000_000, 20, false)).toBe(960);
  expect(jumped.place(50_000_960, 40, false)).toBe(1_920);
});
