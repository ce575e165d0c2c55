/** IVF, the simple container of VP8: a file header, and a header with length and time before each frame. */
import { open } from 'node:fs/promises';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 12;
/** Timestamps are in milliseconds. */
const TICKS_PER_SECOND = 1_000;
/** The duration of the last frame when a file was not closed properly, in ms. */
export const LAST_FRAME_MS = 40;

/** The header of a VP8 file with the given dimensions in pixels; the frame count is left open, as for a stream. */
export function encodeIvfHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('DKIF', 0, 'latin1');
  header.writeUInt16LE(HEADER_BYTES, 6);
  header.write('VP80', 8, 'latin1');
  header.writeUInt16LE(width, 12);
  header.writeUInt16LE(height, 14);
  header.writeUInt32LE(TICKS_PER_SECOND, 16);
  header.writeUInt32LE(1, 20);
  return header;
}

/** The header of a frame. @param at_ms its time from the beginning of the file */
export function encodeFrameHeader(data: Buffer, at_ms: number): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUInt32LE(data.length, 0);
  header.writeBigUInt64LE(BigInt(at_ms), 4);
  return header;
}

/**
 * Repairs a file whose writer was killed, by truncating an incomplete frame.
 * @returns its duration in ms, 0 without frames, and its size in bytes
 * @throws the error of the file system
 */
export async function repairIvf(path: string): Promise<{ duration_ms: number; size_bytes: number }> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const header = Buffer.alloc(FRAME_HEADER_BYTES);
    let [ends_at, last_ms] = [HEADER_BYTES, -1];
    for (;;) {
      const { bytesRead } = await file.read(header, 0, FRAME_HEADER_BYTES, ends_at);
      if (bytesRead < FRAME_HEADER_BYTES) break;
      const [length, at_ms] = [header.readUInt32LE(0), Number(header.readBigUInt64LE(4))];
      const next = ends_at + FRAME_HEADER_BYTES + length;
      // Zeros or garbage left by a system crash are not a frame.
      if (length === 0 || next > size || at_ms <= last_ms) break;
      [ends_at, last_ms] = [next, at_ms];
    }
    const size_bytes = last_ms < 0 ? 0 : ends_at;
    await file.truncate(size_bytes);
    return { duration_ms: last_ms < 0 ? 0 : last_ms + LAST_FRAME_MS, size_bytes };
  } finally {
    await file.close();
  }
}
