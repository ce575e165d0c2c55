/** Ogg pages (RFC 3533) and the two header packets of Opus in Ogg (RFC 7845). */
import type { FileHandle } from 'node:fs/promises';

/** Flags of a page (RFC 3533, 6). */
const BEGIN = 0x02;
const END = 0x04;
const HEADER_BYTES = 27;
const MOST_SEGMENTS = 255;
/** The largest page: header, segment table and 255 full segments. */
const MOST_PAGE_BYTES = HEADER_BYTES + MOST_SEGMENTS + MOST_SEGMENTS * 255;

/** CRC-32 with polynomial 0x04c11db7, unreflected, from zero (RFC 3533, 6). */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

function checksum(page: Buffer): number {
  let crc = 0;
  for (const byte of page) crc = ((crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return crc;
}

type Page = { flags: number; granule: bigint; serial: number; sequence: number; packets: Buffer[] };

function encodePage({ flags, granule, serial, sequence, packets }: Page): Buffer {
  const lacing = packets.flatMap(lacingOf);
  const page = Buffer.concat([Buffer.alloc(HEADER_BYTES), Buffer.from(lacing), ...packets]);
  page.write('OggS', 0, 'latin1');
  page[5] = flags;
  page.writeBigInt64LE(granule, 6);
  page.writeUInt32LE(serial, 14);
  page.writeUInt32LE(sequence, 18);
  page[26] = lacing.length;
  page.writeUInt32LE(checksum(page), 22);
  return page;
}

/** The lengths that a page's table holds for a packet: full segments and the rest, which may be 0. */
const lacingOf = (packet: Buffer): number[] => [
  ...Array.from({ length: Math.floor(packet.length / 255) }, () => 255),
  packet.length % 255,
];

/** `OpusHead` (RFC 7845, 5.1) for two channels at 48 kHz; nothing is skipped, so that time counts from the first packet. */
function encodeHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head[8] = 1;
  head[9] = 2;
  head.writeUInt32LE(48_000, 12);
  return head;
}

/** `OpusTags` (RFC 7845, 5.2) without comments: who speaks stands in the index beside the file. */
function encodeTags(): Buffer {
  const vendor = Buffer.from('asterism');
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4);
  tags.write('OpusTags', 0, 'latin1');
  tags.writeUInt32LE(vendor.length, 8);
  vendor.copy(tags, 12);
  return tags;
}

/** Packs Opus packets into pages of at most `page_samples`, so that a crash loses no more than the page under way. */
export class OggOpusWriter {
  readonly #serial: number;
  readonly #write: (page: Buffer) => void;
  readonly #page_samples: number;
  #sequence = 0;
  #packets: Buffer[] = [];
  #segments = 0;
  #samples = 0;
  #granule = 0n;

  /** Writes both headers at once. @param write takes each page as it becomes whole */
  constructor(serial: number, write: (page: Buffer) => void, page_samples = 48_000) {
    this.#serial = serial;
    this.#write = write;
    this.#page_samples = page_samples;
    this.#emit(BEGIN, 0n, [encodeHead()]);
    this.#emit(0, 0n, [encodeTags()]);
  }

  #emit(flags: number, granule: bigint, packets: Buffer[]): void {
    this.#write(encodePage({ flags, granule, serial: this.#serial, sequence: this.#sequence++, packets }));
  }

  /** Adds a packet of so many samples at 48 kHz. */
  add(packet: Buffer, samples: number): void {
    const segments = Math.floor(packet.length / 255) + 1;
    if (this.#segments + segments > MOST_SEGMENTS) this.flush();
    this.#packets.push(packet);
    this.#segments += segments;
    this.#samples += samples;
    this.#granule += BigInt(samples);
    if (this.#samples >= this.#page_samples) this.flush();
  }

  /** Writes what waits as a page. */
  flush(): void {
    if (this.#packets.length > 0) this.#emitWaiting(0);
  }

  /** Writes the last page (RFC 3533, 4: it may be empty). */
  end(): void {
    this.#emitWaiting(END);
  }

  #emitWaiting(flags: number): void {
    this.#emit(flags, this.#granule, this.#packets);
    this.#packets = [];
    this.#segments = 0;
    this.#samples = 0;
  }
}

type LastPage = { flags: number; granule: bigint; serial: number; sequence: number; ends_at: number };

/** The last whole page that begins within a piece of a file, or undefined when there is none. */
function findLastPage(piece: Buffer): LastPage | undefined {
  for (let at = piece.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : piece.lastIndexOf('OggS', at - 1)) {
    const segments = piece[at + 26] ?? 0;
    const table = piece.subarray(at + HEADER_BYTES, at + HEADER_BYTES + segments);
    const ends_at = table.reduce((sum, length) => sum + length, at + HEADER_BYTES + segments);
    if (at + HEADER_BYTES + segments > piece.length || ends_at > piece.length) continue;
    const page = Buffer.from(piece.subarray(at, ends_at));
    const stated = page.readUInt32LE(22);
    page.writeUInt32LE(0, 22);
    if (checksum(page) !== stated) continue;
    return {
      flags: page[5] ?? 0,
      granule: page.readBigInt64LE(6),
      serial: page.readUInt32LE(14),
      sequence: page.readUInt32LE(18),
      ends_at,
    };
  }
  return undefined;
}

/**
 * Makes a file whole whose writer was killed: cuts off a page that is not whole, and ends the stream.
 * @returns its length in samples at 48 kHz; 0 for a file without a whole page, which is emptied
 */
export async function endFile(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const from = Math.max(0, size - 2 * MOST_PAGE_BYTES);
  const piece = Buffer.alloc(size - from);
  const { bytesRead } = await file.read(piece, 0, piece.length, from);
  const last = findLastPage(piece.subarray(0, bytesRead));
  if (!last) {
    await file.truncate(0);
    return 0;
  }
  if (last.flags & END) return Number(last.granule);
  const { granule, serial } = last;
  const page = encodePage({ flags: END, granule, serial, sequence: last.sequence + 1, packets: [] });
  await file.truncate(from + last.ends_at);
  await file.write(page, 0, page.length, from + last.ends_at);
  return Number(granule);
}
