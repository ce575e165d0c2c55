/** From packets of VP8 in order to whole frames (RFC 7741, RFC 6386). */
import { parseVp8 } from '../../forwarding/vp8.ts';
import type { MediaPacket } from './rtp-timeline.ts';

/** A picture as it was encoded. */
export type Frame = {
  /** Whether it can be decoded without those before it. */
  key: boolean;
  /** The size that the last key frame told, in pixels. */
  width: number;
  height: number;
  data: Buffer;
  timestamp: number;
  /** When its first packet came. */
  came_at_ms: number;
};

/** A key frame begins with a tag of three octets, this code, and width and height in 14 bits each (RFC 6386, 9.1). */
const START_CODE = 0x9d012a;
const SIZE_BITS = 0x3fff;
const KEY_HEAD_BYTES = 10;
/** The largest frame that is put together; one of 720p has a tenth of that. */
const MOST_FRAME_BYTES = 4 * 1024 * 1024;

/** The size of a key frame in pixels; undefined for one that is malformed. */
export function readKeyFrame(data: Buffer): { width: number; height: number } | undefined {
  if (data.length < KEY_HEAD_BYTES || data.readUIntBE(3, 3) !== START_CODE) return undefined;
  return { width: data.readUInt16LE(6) & SIZE_BITS, height: data.readUInt16LE(8) & SIZE_BITS };
}

/**
 * Puts frames together. A frame leans on those before it, so that after one that is not whole all are left out until
 * the next key frame.
 */
export class Vp8Frames {
  readonly #deliver: (frame: Frame) => void;
  #last_sequence: number | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;
  #timestamp = 0;
  #came_at_ms = 0;
  #size = { width: 0, height: 0 };
  #waits_for_key = true;

  constructor(deliver: (frame: Frame) => void) {
    this.#deliver = deliver;
  }

  /** Whether nothing can be decoded before the next key frame. */
  waitsForKey(): boolean {
    return this.#waits_for_key;
  }

  /** Leaves out all that comes before the next key frame. */
  awaitKey(): void {
    this.#parts = [];
    this.#bytes = 0;
    this.#waits_for_key = true;
  }

  /** Takes the next packet; one that does not follow the last is the sign that some are lost. */
  push({ sequence, timestamp, marker, payload }: MediaPacket, came_at_ms: number): void {
    const follows = this.#last_sequence === undefined || sequence === ((this.#last_sequence + 1) & 0xffff);
    this.#last_sequence = sequence;
    if (!follows) this.awaitKey();
    // Padding carries nothing, but has a number.
    if (payload.length === 0) return;
    const descriptor = parseVp8(payload);
    if (!descriptor) return this.awaitKey();
    if (descriptor.starts_frame) {
      if (this.#parts.length > 0) this.awaitKey();
      this.#timestamp = timestamp;
      this.#came_at_ms = came_at_ms;
    } else if (this.#parts.length === 0 || timestamp !== this.#timestamp) return this.awaitKey();
    this.#parts.push(payload.subarray(descriptor.header_bytes));
    this.#bytes += payload.length;
    if (this.#bytes > MOST_FRAME_BYTES) return this.awaitKey();
    if (marker) this.#end();
  }

  #end(): void {
    const data = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    // The lowest bit of a frame's tag is 0 for a key frame.
    const key = ((data[0] ?? 1) & 1) === 0;
    if (key) {
      const size = readKeyFrame(data);
      if (!size) return this.awaitKey();
      this.#size = size;
      this.#waits_for_key = false;
    }
    if (this.#waits_for_key) return;
    const { width, height } = this.#size;
    this.#deliver({ key, width, height, data, timestamp: this.#timestamp, came_at_ms: this.#came_at_ms });
  }
}
