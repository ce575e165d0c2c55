/** VP8 frames and their packets with valid headers and dummy content, which is enough for all code before a decoder. */
import type { MediaPacket } from '../clients/recorder/rtp-timeline.ts';

/** Creates a key frame of a size in pixels (RFC 6386, 9.1). @param octets the length of its content */
export function makeKeyFrame(width: number, height: number, octets = 20): Buffer {
  const frame = Buffer.alloc(10 + octets, 7);
  frame.set([0x10, 0, 0, 0x9d, 0x01, 0x2a]);
  frame.writeUInt16LE(width, 6);
  frame.writeUInt16LE(height, 8);
  return frame;
}

/** Creates an inter frame, which depends on earlier frames. */
export const makeFrame = (octets = 20): Buffer => Buffer.from([0x11, ...Array.from({ length: octets }, () => 5)]);

/** Splits a frame into packets of up to `octets` (RFC 7741, 4.2, without extensions). */
export function packetize(frame: Buffer, sequence: number, timestamp: number, octets = 1_000): MediaPacket[] {
  const count = Math.ceil(frame.length / octets);
  return Array.from({ length: count }, (_, index) => ({
    sequence: (sequence + index) & 0xffff,
    timestamp: timestamp >>> 0,
    marker: index === count - 1,
    payload: Buffer.concat([
      Buffer.from([index === 0 ? 0x10 : 0x00]),
      frame.subarray(index * octets, (index + 1) * octets),
    ]),
  }));
}
