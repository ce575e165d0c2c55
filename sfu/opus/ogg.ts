/** Ogg pages (RFC 3533) and the two header packets of Ogg Opus (RFC 7845). */
import type { FileHandle } from 'node:fs/promises';

/** Page flags (RFC 3533, 6). */
const CONTINUED = 0x01;
const BEGIN = 0x02;
const END = 0x04;
const HEADER_BYTES = 27;
const MAX_SEGMENTS = 255;
/** The maximum page size: header, segment table and 255 full segments. */
export const MAX_PAGE_BYTES = HEADER_BYTES + MAX_SEGMENTS + MAX_SEGMENTS * 255;

/** The granule position of a page on which no packet ends (RFC 3533, 6). */
const NO_PACKET_ENDS = -1n;

/** CRC-32 with polynomial 0x04c11db7, not reflected, initial value zero (RFC 3533, 6). */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

/** The checksum of a page, computed with its own field as zero. */
function checksumOf(page: Buffer): number {
  let crc = 0;
  for (let at = 0; at < page.length; at++) {
    const byte = at >= 22 && at < 26 ? 0 : (page[at] ?? 0);
    crc = ((crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  }
  return crc;
}

type Page = { flags: number; granule: bigint; serial: number; sequence: number; lacing: number[]; body: Buffer[] };

function encodePage({ flags, granule, serial, sequence, lacing, body }: Page): Buffer {
  const page = Buffer.concat([Buffer.alloc(HEADER_BYTES), Buffer.from(lacing), ...body]);
  page.write('OggS', 0, 'latin1');
  page[5] = flags;
  page.writeBigInt64LE(granule, 6);
  page.writeUInt32LE(serial, 14);
  page.writeUInt32LE(sequence, 18);
  page[26] = lacing.length;
  page.writeUInt32LE(checksumOf(page), 22);
  return page;
}

/** The lacing values of a packet: full segments and the remainder, which may be 0. */
const lacingOf = (packet: Buffer): number[] => [
  ...Array.from({ length: Math.floor(packet.length / 255) }, () => 255),
  packet.length % 255,
];

/** `OpusHead` (RFC 7845, 5.1) for two channels at 48 kHz. */
function encodeHead(pre_skip: number): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head[8] = 1;
  head[9] = 2;
  head.writeUInt16LE(pre_skip, 10);
  head.writeUInt32LE(48_000, 12);
  return head;
}

const encodeText = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** `OpusTags` (RFC 7845, 5.2). */
function encodeTags(comments: readonly string[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(comments.length);
  return Buffer.concat([Buffer.from('OpusTags'), encodeText('asterism'), count, ...comments.map(encodeText)]);
}

/** The form of a file of Ogg Opus (RFC 7845). */
export type OggOpusOptions = {
  /**
   * The maximum duration of a page in samples at 48 kHz, so that a crash loses no more than the current page; a second
   * by default.
   */
  page_samples?: number;
  /** Pre-skip, in samples; 0 by default, so that time counts from the first packet. */
  pre_skip?: number;
  /** `NAME=text`; none by default. */
  comments?: readonly string[];
};

/** Packs Opus packets into pages. */
export class OggOpusWriter {
  readonly #serial: number;
  readonly #write: (page: Buffer) => void;
  readonly #page_samples: number;
  #sequence = 0;
  #packets: Buffer[] = [];
  #segments = 0;
  #samples = 0;
  #granule = 0n;

  /** Writes both headers. @param write gets each page when it is complete */
  constructor(
    serial: number,
    write: (page: Buffer) => void,
    { page_samples = 48_000, pre_skip = 0, comments = [] }: OggOpusOptions = {},
  ) {
    this.#serial = serial;
    this.#write = write;
    this.#page_samples = page_samples;
    this.#emitHeader(BEGIN, encodeHead(pre_skip));
    this.#emitHeader(0, encodeTags(comments));
  }

  #emit(flags: number, granule: bigint, lacing: number[], body: Buffer[]): void {
    this.#write(encodePage({ flags, granule, serial: this.#serial, sequence: this.#sequence++, lacing, body }));
  }

  /** Writes a header packet on as many pages as it needs. */
  #emitHeader(flags: number, packet: Buffer): void {
    const lacing = lacingOf(packet);
    for (let at = 0; at < lacing.length; at += MAX_SEGMENTS) {
      const block = packet.subarray(at * 255, (at + MAX_SEGMENTS) * 255);
      const is_last = at + MAX_SEGMENTS >= lacing.length;
      const granule = is_last ? 0n : NO_PACKET_ENDS;
      this.#emit(at === 0 ? flags : CONTINUED, granule, lacing.slice(at, at + MAX_SEGMENTS), [block]);
    }
  }

  /** Adds a packet with its duration in samples at 48 kHz. */
  add(packet: Buffer, samples: number): void {
    const segments = Math.floor(packet.length / 255) + 1;
    // A page is written only when the next packet arrives, so that the last page is never empty and can be trimmed.
    if (this.#samples >= this.#page_samples || this.#segments + segments > MAX_SEGMENTS) this.flush();
    this.#packets.push(packet);
    this.#segments += segments;
    this.#samples += samples;
    this.#granule += BigInt(samples);
  }

  /** Writes the current page. */
  flush(): void {
    if (this.#packets.length > 0) this.#emitWaiting(0);
  }

  /**
   * Writes the last page (RFC 3533, 4: it may be empty).
   * @param unheard samples to trim at the end; fewer than the last packet has (RFC 7845, 4.4)
   */
  end(unheard = 0): void {
    this.#granule -= BigInt(unheard);
    this.#emitWaiting(END);
  }

  #emitWaiting(flags: number): void {
    this.#emit(flags, this.#granule, this.#packets.flatMap(lacingOf), this.#packets);
    this.#packets = [];
    this.#segments = 0;
    this.#samples = 0;
  }
}

/** A parsed page. */
export type ReadPage = {
  flags: number;
  granule: bigint;
  serial: number;
  sequence: number;
  lacing: Buffer;
  body: Buffer;
  /** Its length in bytes. */
  bytes: number;
};

/** Parses a page at an offset of a block; undefined when there is no complete page. */
export function readPage(block: Buffer, at: number): ReadPage | undefined {
  const body_at = at + HEADER_BYTES + (block[at + 26] ?? 0);
  const lacing = block.subarray(at + HEADER_BYTES, body_at);
  const ends_at = lacing.reduce((sum, length) => sum + length, body_at);
  if (body_at > block.length || ends_at > block.length || block.toString('latin1', at, at + 4) !== 'OggS')
    return undefined;
  const page = block.subarray(at, ends_at);
  if (checksumOf(page) !== page.readUInt32LE(22)) return undefined;
  return {
    flags: page[5] ?? 0,
    granule: page.readBigInt64LE(6),
    serial: page.readUInt32LE(14),
    sequence: page.readUInt32LE(18),
    lacing,
    body: block.subarray(body_at, ends_at),
    bytes: ends_at - at,
  };
}

/** The last complete page that begins within a block, and its end, or undefined. */
function findLastPage(block: Buffer): (ReadPage & { ends_at: number }) | undefined {
  for (let at = block.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : block.lastIndexOf('OggS', at - 1)) {
    const page = readPage(block, at);
    if (page) return { ...page, ends_at: at + page.bytes };
  }
  return undefined;
}

/**
 * Repairs a file whose writer was killed: truncates an incomplete page, and ends the stream.
 * @returns its duration in samples at 48 kHz; 0 for a file without a complete page, which is emptied
 */
export async function endFile(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const from = Math.max(0, size - 2 * MAX_PAGE_BYTES);
  const block = Buffer.alloc(size - from);
  const { bytesRead } = await file.read(block, 0, block.length, from);
  const last = findLastPage(block.subarray(0, bytesRead));
  if (!last) {
    await file.truncate(0);
    return 0;
  }
  if (last.flags & END) return Number(last.granule);
  const { granule, serial } = last;
  const page = encodePage({ flags: END, granule, serial, sequence: last.sequence + 1, lacing: [], body: [] });
  await file.truncate(from + last.ends_at);
  await file.write(page, 0, page.length, from + last.ends_at);
  return Number(granule);
}
