import { expect, test } from 'vitest';
import { samplesOf } from '../../opus/opus-packets.ts';
import { GapFiller } from './opus-timeline.ts';

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

test('fills gaps with frames to conceal and then with silence, and drops late packets', () => {
  const written: [number, number][] = [];
  const gaps = new GapFiller((bytes, samples) => written.push([bytes.length, samples]));
  const packet = Buffer.from([0x08, 1, 2, 3]);
  gaps.add(packet, 0);
  gaps.add(packet, 3 * 960);
  expect(written).toEqual([
    [4, 960],
    [1, 960],
    [1, 960],
    [4, 960],
  ]);
  gaps.add(packet, 960);
  expect(written).toHaveLength(4);
  gaps.add(packet, (40 + 50) * 960);
  expect(gaps.writtenMs()).toBe(91 * 20);
  expect(written.filter(([bytes]) => bytes === 3).length).toBe(90 - 4 - 25);
  gaps.add(Buffer.from([0xff, 0x3f]), 100 * 960);
  expect(gaps.writtenMs()).toBe(91 * 20);
});
