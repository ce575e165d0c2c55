import { expect, test } from 'vitest';
import { makeFrame, makeKeyFrame, packetize } from '../../testing/vp8-packets.ts';
import type { MediaPacket } from './rtp-timeline.ts';
import { readKeyFrame, Vp8Frames, type Frame } from './vp8-frames.ts';
import { slow } from '../../../testing/slow-tests.ts';

function collect() {
  const frames_received: Frame[] = [];
  const frames = new Vp8Frames((frame) => frames_received.push(frame));
  const push = (packets: MediaPacket[]) => {
    for (const packet of packets) frames.push(packet, packet.sequence);
  };
  return { frames_received, frames, push };
}

test('assembles frames of several packets, over the wrap of sequence numbers', () => {
  const { frames_received, push } = collect();
  const [key, next] = [makeKeyFrame(640, 360, 2_500), makeFrame(1_500)];
  push(packetize(key, 65_534, 2 ** 32 - 3_000));
  push(packetize(next, 1, 2 ** 32 + 600));
  expect(frames_received.map(({ data }) => data)).toEqual([key, next]);
  expect(frames_received[0]).toMatchObject({
    key: true,
    width: 640,
    height: 360,
    timestamp: 2 ** 32 - 3_000,
    arrived_at_ms: 65_534,
  });
  expect(frames_received[1]).toMatchObject({ key: false, width: 640, height: 360, timestamp: 600 });
});

test('parses the descriptor with its extensions, and skips padding', () => {
  const { frames_received, push } = collect();
  const [packet] = packetize(makeKeyFrame(320, 180), 1, 0);
  if (!packet) throw new Error('no packet');
  // The same packet with a picture id of 15 bits, a TL0 index and a temporal layer.
  const payload = Buffer.concat([Buffer.from([0x90, 0xe0, 0x81, 0x02, 9, 0x20]), packet.payload.subarray(1)]);
  push([{ ...packet, payload }]);
  push([{ sequence: 2, timestamp: 0, marker: false, payload: Buffer.alloc(0) }]);
  push(packetize(makeFrame(), 3, 3_000));
  expect(frames_received.map(({ data, key }) => [data.length, key])).toEqual([
    [30, true],
    [21, false],
  ]);
});

test('after a lost packet, drops frames until the next key frame', () => {
  const { frames_received, frames, push } = collect();
  expect(frames.waitsForKey()).toBe(true);
  // Frames before the first key frame cannot be decoded.
  push(packetize(makeFrame(), 0, 0));
  push(packetize(makeKeyFrame(640, 360, 2_500), 1, 3_000));
  expect([frames_received.length, frames.waitsForKey()]).toEqual([1, false]);
  const incomplete = packetize(makeFrame(2_500), 4, 6_000);
  push(incomplete.slice(0, 1));
  push(incomplete.slice(2));
  expect([frames_received.length, frames.waitsForKey()]).toEqual([1, true]);
  push(packetize(makeFrame(), 7, 9_000));
  expect(frames_received).toHaveLength(1);
  push(packetize(makeKeyFrame(640, 360), 8, 12_000));
  push(packetize(makeFrame(), 9, 15_000));
  expect(frames_received).toHaveLength(3);
  // A frame that is lost completely is detected by the sequence numbers.
  push(packetize(makeFrame(), 11, 18_000));
  expect([frames_received.length, frames.waitsForKey()]).toEqual([3, true]);
});

test('drops malformed frames: no start code, no descriptor, an end without a start', slow, () => {
  const { frames_received, frames, push } = collect();
  const false_key = makeKeyFrame(640, 360);
  false_key[3] = 0;
  push(packetize(false_key, 0, 0));
  push([{ sequence: 1, timestamp: 9, marker: true, payload: Buffer.from([0x00, 1, 2]) }]);
  push([{ sequence: 2, timestamp: 9, marker: true, payload: Buffer.from([0x90]) }]);
  expect([frames_received, frames.waitsForKey()]).toEqual([[], true]);
  expect(readKeyFrame(Buffer.from([0x10, 0, 0, 0x9d, 0x01]))).toBeUndefined();
  // A frame that never ends is dropped.
  const [first, ...rest] = packetize(makeKeyFrame(640, 360, 5_000_000), 3, 12);
  push([first as MediaPacket, ...rest]);
  expect(frames_received).toEqual([]);
});
