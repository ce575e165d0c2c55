/**
 * Metadata of Ogg (RFC 3533): the comment packet, which follows the first packet of each stream, is erased. It keeps
 * its length, so that no other page moves; the checksums of its pages are recomputed.
 */
import { refuseMalformedMedia } from './metadata-refusal.ts';

type Page = { at: number; body_at: number; end: number };
type Piece = { at: number; end: number };
type Stream = { codec: string; packet: number; pieces: Piece[]; pages: Page[] };

/** The first packet of each codec, and the prefix of its comment packet (0 for Speex, which has none). */
const codecs = [
  { name: 'opus', first: 'OpusHead', comments: 'OpusTags' },
  { name: 'vorbis', first: '\x01vorbis', comments: '\x03vorbis' },
  { name: 'theora', first: '\x80theora', comments: '\x81theora' },
  { name: 'speex', first: 'Speex   ', comments: '' },
  { name: 'flac', first: '\x7fFLAC', comments: '' },
] as const;

/** More pages than any real file has: each costs memory. */
const max_streams = 64;

/** The checksum of RFC 3533, section 6: polynomial 04c11db7, initial value zero, not reflected. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  return sum >>> 0;
});

/** Writes the checksum of a page, whose field is zero while it is computed. */
function seal(bytes: Buffer, { at, end }: Page): void {
  bytes.writeUInt32LE(0, at + 22);
  let sum = 0;
  for (let place = at; place < end; place++)
    sum = ((sum << 8) ^ (table[((sum >>> 24) ^ (bytes[place] ?? 0)) & 0xff] ?? 0)) >>> 0;
  bytes.writeUInt32LE(sum, at + 22);
}

/** A packet, concatenated from its pieces. */
const read = (bytes: Buffer, pieces: Piece[]) => Buffer.concat(pieces.map(({ at, end }) => bytes.subarray(at, end)));

function write(bytes: Buffer, pieces: Piece[], packet: Buffer): void {
  let from = 0;
  for (const { at, end } of pieces) {
    packet.copy(bytes, at, from, from + end - at);
    from += end - at;
  }
}

/**
 * An empty comment packet: no vendor, no comments, and Vorbis's framing bit; undefined when it is not a comment packet.
 */
function empty(codec: string, packet: Buffer): Buffer | undefined {
  const bare = Buffer.alloc(packet.length);
  if (codec === 'flac') {
    // Each packet is a metadata block until the first frame (RFC 9639, section 10.1).
    if (packet[0] === 0xff) return undefined;
    packet.copy(bare, 0, 0, 4);
    const type = (packet[0] ?? 0) & 0x7f;
    if (type === 0 || type === 3) return undefined;
    // All others become padding, except the comment block, which is mandatory.
    if (type !== 4) bare[0] = ((packet[0] ?? 0) & 0x80) | 1;
    return bare;
  }
  const { comments = '' } = codecs.find(({ name }) => name === codec) ?? {};
  if (!packet.subarray(0, comments.length).equals(Buffer.from(comments, 'latin1'))) return undefined;
  packet.copy(bare, 0, 0, comments.length);
  const framing_at = comments.length + 8;
  if (codec === 'vorbis' && framing_at < bare.length) bare[framing_at] = 1;
  return bare;
}

/** Processes a complete packet: detects the codec from the first of a stream, and erases comment packets. */
function endPacket(bytes: Buffer, stream: Stream, touched: Set<Page>): void {
  const { pieces, pages, packet: index } = stream;
  // Only FLAC has more than two header packets that may hold metadata; the third of Theora and Vorbis holds codebooks.
  const is_looked_at = index === 0 || (stream.codec !== '' && (index === 1 || stream.codec === 'flac'));
  if (is_looked_at) {
    const packet = read(bytes, pieces);
    if (index === 0)
      stream.codec = codecs.find(({ first }) => packet.toString('latin1', 0, first.length) === first)?.name ?? '';
    else {
      const bare = empty(stream.codec, packet);
      if (bare) write(bytes, pieces, bare);
      if (bare) for (const page of pages) touched.add(page);
      else if (stream.codec === 'flac') stream.codec = packet[0] === 0xff ? '' : 'flac';
    }
  }
  stream.packet++;
  stream.pieces = [];
  stream.pages = [];
}

function readPage(bytes: Buffer, page: Page, stream: Stream, touched: Set<Page>): void {
  let at = page.body_at;
  let begin = at;
  const hold = (end: number) => {
    stream.pieces.push({ at: begin, end });
    stream.pages.push(page);
    begin = end;
  };
  for (const lacing of bytes.subarray(page.at + 27, page.body_at)) {
    at = Math.min(at + lacing, page.end);
    if (lacing === 255) continue;
    hold(at);
    endPacket(bytes, stream, touched);
  }
  if (begin < at) hold(at);
}

/** Erases the comments of an Ogg file, in place. @throws ApiError `validation_failed` when a page cannot be read */
export function stripOgg(bytes: Buffer): Buffer {
  const streams = new Map<number, Stream>();
  const touched = new Set<Page>();
  for (let at = 0; at >= 0 && at + 27 <= bytes.length; at = bytes.indexOf('OggS', at)) {
    const body_at = at + 27 + (bytes[at + 26] ?? 0);
    const body_bytes = bytes.subarray(at + 27, body_at).reduce((sum, lacing) => sum + lacing, 0);
    const page = { at, body_at: Math.min(body_at, bytes.length), end: Math.min(body_at + body_bytes, bytes.length) };
    const serial = bytes.readUInt32LE(at + 14);
    // The first page of a stream; a chained stream may reuse the number of an earlier one.
    const is_first = ((bytes[at + 5] ?? 0) & 2) !== 0;
    const stream = (!is_first && streams.get(serial)) || { codec: '', packet: 0, pieces: [], pages: [] };
    streams.set(serial, stream);
    if (streams.size > max_streams) refuseMalformedMedia();
    readPage(bytes, page, stream, touched);
    at = page.end;
  }
  // A comment packet that is truncated is erased as far as it goes.
  for (const stream of streams.values()) if (stream.pieces.length > 0) endPacket(bytes, stream, touched);
  if (streams.size === 0) refuseMalformedMedia();
  for (const page of touched) seal(bytes, page);
  return bytes;
}
