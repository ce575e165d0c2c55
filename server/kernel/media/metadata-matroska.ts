/**
 * Metadata of Matroska and WebM (RFC 9559): tags, attachments, titles, dates and names become `Void` elements of the
 * same length, so that all offsets in the file stay valid. Checksums of changed elements become void too.
 */
import { refuseMalformedMedia } from './metadata-refusal.ts';

const void_id = 0xec;
const cluster_id = 0x1f43b675;

/** Master elements to descend into. `Cluster` is among them only where its size is unknown. */
const masters = new Set([
  0x18538067, // Segment
  0x114d9b74, // SeekHead
  0x1549a966, // Info
  0x1654ae6b, // Tracks
  0xae, // TrackEntry
]);

/** Elements that identify people, places or times, or that may contain what was there before. */
const identifying_elements = new Set([
  0x1254c367, // Tags
  0x1941a469, // Attachments
  0x4461, // DateUTC
  0x7ba9, // Title
  0x73a4, // SegmentUUID
  0x7384, // SegmentFilename
  0x3cb923, // PrevUUID
  0x3c83ab, // PrevFilename
  0x3eb923, // NextUUID
  0x3e83bb, // NextFilename
  0x536e, // Name of a track
  0xbf, // CRC-32
  void_id,
]);
const seek_id = 0x4dbb;
/** The identifier of an index entry for an erased element, after the identifier of `SeekID` and its length. */
const identifying_seeks = ['53ab841254c367', '53ab841941a469'].map((hex) => Buffer.from(hex, 'hex'));

/**
 * Reads a number of 1 to 8 bytes whose length follows from its leading bits (RFC 8794, section 4); undefined when
 * truncated.
 */
function readNumber(
  bytes: Buffer,
  at: number,
  mark: 'kept' | 'cut',
): { value: number; end: number; is_open: boolean } | undefined {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > bytes.length) return undefined;
  const value_bits = 0xff >> length;
  let value = mark === 'kept' ? first : first & value_bits;
  // All bits set means an unknown size.
  let is_open = (first & value_bits) === value_bits;
  for (const byte of bytes.subarray(at + 1, at + length)) {
    value = value * 256 + byte;
    is_open &&= byte === 0xff;
  }
  return { value, end: at + length, is_open };
}

/** Writes a void element over [at, end), which is at least two bytes. */
function writeVoid(bytes: Buffer, at: number, end: number): void {
  const length = end - at;
  bytes.fill(0, at, end);
  bytes[at] = void_id;
  if (length < 9) {
    bytes[at + 1] = 0x80 | (length - 2);
    return;
  }
  bytes[at + 1] = 0x01;
  bytes.writeUIntBE(length - 9, at + 3, 6);
}

/**
 * Erases identifying metadata of a Matroska file, in place.
 * @throws ApiError `validation_failed` where an element has no valid length or identifier, so that its end is unknown
 */
export function stripMatroska(bytes: Buffer): Buffer {
  let at = 0;
  while (at < bytes.length) {
    const id = readNumber(bytes, at, 'kept');
    const size = id && readNumber(bytes, id.end, 'cut');
    if (!id || !size) {
      // A truncated element head contains nothing.
      if (bytes.length - at < 12) break;
      return refuseMalformedMedia();
    }
    const end = size.is_open ? bytes.length : Math.min(size.end + size.value, bytes.length);
    const is_entered = masters.has(id.value) || (id.value === cluster_id && size.is_open);
    if (identifying_elements.has(id.value) || (id.value === seek_id && isIdentifying(bytes, size.end, end))) {
      if (size.is_open) refuseMalformedMedia();
      writeVoid(bytes, at, end);
    } else if (size.is_open && !is_entered) refuseMalformedMedia();
    // The children of a master are scanned as if they were its siblings: the order is the same.
    at = is_entered ? size.end : end;
  }
  return bytes;
}

/** Whether an index entry points to an erased element. */
function isIdentifying(bytes: Buffer, at: number, end: number): boolean {
  return identifying_seeks.some((wanted) => bytes.subarray(at, end).includes(wanted));
}
