/** Metadata of MP3, AAC, FLAC and WAV: tags around the audio, or chunks beside it, which are removed. */
import { refuseMalformedMedia } from './metadata-refusal.ts';

const textAt = (bytes: Buffer, at: number, length: number) => bytes.toString('latin1', at, at + length);

/**
 * The offset of the audio after an ID3v2 or APE tag at `at` (id3.org, ID3v2.4.0 section 3.1); `at` when there is none.
 */
function skipHead(bytes: Buffer, at: number): number {
  if (textAt(bytes, at, 3) === 'ID3' && at + 10 <= bytes.length) {
    const [flags = 0, ...size] = bytes.subarray(at + 5, at + 10);
    // Seven bits per byte, so that no size looks like an audio frame.
    const size_bytes = size.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
    return at + 10 + size_bytes + (flags & 0x10 ? 10 : 0);
  }
  if (textAt(bytes, at, 8) === 'APETAGEX' && at + 32 <= bytes.length) return at + 32 + bytes.readUInt32LE(at + 12);
  return at;
}

/** The end of the audio before a tag that ends at `end`; `end` when there is none. */
function skipTail(bytes: Buffer, end: number): number {
  if (end >= 128 && textAt(bytes, end - 128, 3) === 'TAG')
    return end >= 355 && textAt(bytes, end - 355, 4) === 'TAG+' ? end - 355 : end - 128;
  // Lyrics3: the size of the tag, in six digits.
  if (end >= 15 && textAt(bytes, end - 9, 9) === 'LYRICS200') return end - 15 - Number(textAt(bytes, end - 15, 6));
  if (end >= 11 && textAt(bytes, end - 9, 9) === 'LYRICSEND') {
    const begin = bytes.subarray(Math.max(0, end - 5120), end).lastIndexOf('LYRICSBEGIN');
    return begin < 0 ? end : Math.max(0, end - 5120) + begin;
  }
  if (end >= 32 && textAt(bytes, end - 32, 8) === 'APETAGEX') {
    // The size includes the footer; a flag indicates whether there is a header too.
    const header_bytes = bytes.readUInt32LE(end - 12) & 0x80000000 ? 32 : 0;
    return end - Math.max(32, bytes.readUInt32LE(end - 20)) - header_bytes;
  }
  if (end >= 10 && textAt(bytes, end - 10, 3) === '3DI') {
    const size_bytes = [...bytes.subarray(end - 4, end)].reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
    return end - 20 - size_bytes;
  }
  return end;
}

/**
 * A file without its leading and trailing ID3, APE and Lyrics3 tags.
 * @throws ApiError `validation_failed` when a tag claims to be longer than the file
 */
export function stripTags(bytes: Buffer): Buffer {
  let [begin, end] = [0, bytes.length];
  for (let next = skipHead(bytes, begin); next !== begin; next = skipHead(bytes, begin)) begin = next;
  for (let next = skipTail(bytes, end); next !== end; next = skipTail(bytes, end)) {
    if (!(next >= begin && next < end)) refuseMalformedMedia();
    end = next;
  }
  return begin < end ? bytes.subarray(begin, end) : refuseMalformedMedia();
}

/** The blocks needed to play and seek: STREAMINFO and SEEKTABLE (RFC 9639, section 8.1). */
const flac_blocks = new Set([0, 3]);

/** FLAC without its metadata blocks. Seek points count from the first frame, so that they stay valid. */
export function stripFlac(bytes: Buffer): Buffer {
  const kept = new Map<number, Buffer>();
  let at = 4;
  for (let is_last = false; !is_last;) {
    if (at + 4 > bytes.length) refuseMalformedMedia();
    const head = bytes.readUInt32BE(at);
    is_last = head >= 0x80000000;
    const next = at + 4 + (head & 0xffffff);
    if (next > bytes.length) refuseMalformedMedia();
    const type = (head >>> 24) & 0x7f;
    if (flac_blocks.has(type) && !kept.has(type)) kept.set(type, Buffer.from(bytes.subarray(at, next)));
    at = next;
  }
  const blocks = [...kept.values()];
  // The first bit of a block marks the last one.
  for (const [index, block] of blocks.entries())
    block[0] = ((block[0] ?? 0) & 0x7f) | (index === blocks.length - 1 ? 0x80 : 0);
  if (blocks.length === 0) refuseMalformedMedia();
  return Buffer.concat([bytes.subarray(0, 4), ...blocks, bytes.subarray(at)]);
}

/** The chunks of a WAV file that are needed for playback; `ds64` has the sizes of a long file (EBU Tech 3306). */
const wave_chunks = new Set(['fmt ', 'fact', 'data', 'ds64']);

/** WAV without its metadata chunks. Sizes that the recorder left open are filled in. */
export function stripWave(bytes: Buffer): Buffer {
  const kept = new Map<string, Buffer>();
  let long_bytes = Infinity;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = textAt(bytes, at, 4);
    if (name === 'ds64' && at + 24 <= bytes.length) long_bytes = Number(bytes.readBigUInt64LE(at + 16));
    const short_bytes = bytes.readUInt32LE(at + 4);
    // A long file has its sizes in `ds64`, and 0xffffffff here.
    const declared_bytes = name === 'data' && short_bytes === 0xffffffff ? long_bytes : short_bytes;
    const rest_bytes = bytes.length - at - 8;
    // A recorder that was interrupted has not written the size of the data.
    const is_open = name === 'data' && (declared_bytes === 0 || declared_bytes > rest_bytes);
    if (!is_open && declared_bytes > rest_bytes) break;
    const size_bytes = is_open ? rest_bytes : declared_bytes;
    if (wave_chunks.has(name) && !kept.has(name)) {
      const chunk = Buffer.alloc(8 + size_bytes + (size_bytes % 2));
      bytes.copy(chunk, 0, at, at + 8 + size_bytes);
      if (short_bytes !== 0xffffffff || long_bytes === Infinity) chunk.writeUInt32LE(size_bytes, 4);
      kept.set(name, chunk);
    }
    at += 8 + size_bytes + (size_bytes % 2);
  }
  const head = Buffer.from(bytes.subarray(0, 12));
  const whole = Buffer.concat([head, ...kept.values()]);
  if (textAt(head, 0, 4) === 'RIFF') whole.writeUInt32LE(whole.length - 8, 4);
  else if (textAt(whole, 12, 4) === 'ds64' && whole.length >= 28) whole.writeBigUInt64LE(BigInt(whole.length - 8), 20);
  return kept.size > 0 ? whole : refuseMalformedMedia();
}
