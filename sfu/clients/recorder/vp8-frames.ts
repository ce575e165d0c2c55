/** Assembles frames from ordered VP8 packets (RFC 7741, RFC 6386). */
import { parseVp8 } from '../../forwarding/vp8.ts';
import type { MediaPacket } from './rtp-timeline.ts';

/** An encoded frame. */
export type Frame = {
  /** Whether it is a key frame. */
  key: boolean;
  /** The dimensions given by the last key frame, in pixels. */
  width: number;
  height: number;
  data: Buffer;
  timestamp: number;
  /** The arrival time of its first packet. */
  arrived_at_ms: number;
};

/** A key frame starts with a tag of three bytes, this code, and width and height of 14 bits each (RFC 6386, 9.1). */
const START_CODE = 0x9d012a;
const SIZE_BITS = 0x3fff;
const KEY_HEAD_BYTES = 10;
/** The maximum frame size; one of 720p has a tenth of that. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;

/** The dimensions of a key frame in pixels; undefined when it is malformed. */
export function readKeyFrame(data: Buffer): { width: number; height: number } | undefined {
  if (data.length < KEY_HEAD_BYTES || data.readUIntBE(3, 3) !== START_CODE) return undefined;
  return { width: data.readUInt16LE(6) & SIZE_BITS, height: data.readUInt16LE(8) & SIZE_BITS };
}

/**
 * Assembles frames. Frames depend on earlier ones, so that after an incomplete one all are dropped until the next key
 * frame.
 */
export class Vp8Frames {
  readonly #deliver: (frame: Frame) => void;
  #last_sequence: number | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;
  #timestamp = 0;
  #arrived_at_ms = 0;
  #size = { width: 0, height: 0 };
  #waits_for_key = true;

  constructor(deliver: (frame: Frame) => void) {
    this.#deliver = deliver;
  }

  /** Whether nothing can be decoded before the next key frame. */
  waitsForKey(): boolean {
    return this.#waits_for_key;
  }

  /** Drops everything before the next key frame. */
  awaitKey(): void {
    this.#parts = [];
    this.#bytes = 0;
    this.#waits_for_key = true;
  }

  /** Adds the next packet; a gap in the sequence means loss. */
  push({ sequence, timestamp, marker, payload }: MediaPacket, arrived_at_ms: number): void {
    const follows = this.#last_sequence === undefined || sequence === ((this.#last_sequence + 1) & 0xffff);
    this.#last_sequence = sequence;
    if (!follows) this.awaitKey();
    // Padding has no content, but a sequence number.
    if (payload.length === 0) return;
    const descriptor = parseVp8(payload);
    if (!descriptor) return this.awaitKey();
    if (descriptor.starts_frame) {
      if (this.#parts.length > 0) this.awaitKey();
      this.#timestamp = timestamp;
      this.#arrived_at_ms = arrived_at_ms;
    } else if (this.#parts.length === 0 || timestamp !== this.#timestamp) return this.awaitKey();
    this.#parts.push(payload.subarray(descriptor.header_bytes));
    this.#bytes += payload.length;
    if (this.#bytes > MAX_FRAME_BYTES) return this.awaitKey();
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
    this.#deliver({ key, width, height, data, timestamp: this.#timestamp, arrived_at_ms: this.#arrived_at_ms });
  }
}
