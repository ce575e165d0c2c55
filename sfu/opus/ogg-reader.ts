/** Reads Opus packets from an Ogg file, a block at a time. */
import { readSync } from 'node:fs';
import { MAX_PAGE_BYTES, readPage, type ReadPage } from './ogg.ts';
import { samplesOf } from './opus-packets.ts';

const CONTINUED = 0x01;
const BEGIN = 0x02;
/** 120 ms in frames of maximum size (RFC 6716, 3.2.1 and 3.2.5). */
const MAX_PACKET_BYTES = 48 * 1275;
const TOO_LONG = MAX_PACKET_BYTES + 1;
const BLOCK_BYTES = 2 * MAX_PAGE_BYTES;

/** One packet of a file. */
export type OpusPacket = {
  packet: Buffer;
  /** Its duration, in samples at 48 kHz. */
  samples: number;
  /** Its start, in samples at 48 kHz from the first packet of the file. */
  place: number;
};

/** The complete pages of a file, and whether something unreadable precedes each. */
function* readPages(file: number): Generator<{ page: ReadPage; follows_break: boolean }> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let [at, length] = [0, 0];
  let follows_break = false;
  for (;;) {
    if (length - at < MAX_PAGE_BYTES) {
      block.copy(block, 0, at, length);
      [at, length] = [0, length - at];
      let read: number;
      do {
        read = readSync(file, block, length, BLOCK_BYTES - length, null);
        length += read;
      } while (read > 0 && length < BLOCK_BYTES);
    }
    if (length === at) return;
    const page = readPage(block.subarray(0, length), at);
    if (page) {
      yield { page, follows_break };
      follows_break = false;
      at += page.bytes;
      continue;
    }
    follows_break = true;
    const next = block.subarray(0, length).indexOf('OggS', at + 1);
    // The end of the block may contain the beginning of a capture pattern.
    at = next < 0 ? Math.max(at + 1, length - 3) : next;
  }
}

/** The packets that end on a page. @param begun the part of the first one on earlier pages, which is extended */
function splitPage({ lacing, body }: ReadPage, begun: Buffer[]): Buffer[] {
  const packets: Buffer[] = [];
  let [from, to] = [0, 0];
  for (const length of lacing) {
    to += length;
    if (length === 255) continue;
    packets.push(Buffer.concat([...begun.splice(0), body.subarray(from, to)]));
    from = to;
  }
  // Of an oversized packet only the beginning is kept.
  if (from < to) begun.push(Buffer.concat([...begun.splice(0), body.subarray(from, to)]).subarray(0, TOO_LONG));
  return packets;
}

/** Parses `OpusHead` with one or two channels (RFC 7845, 5.1). @throws Error for anything else */
function readHead(packet: Buffer | undefined): { pre_skip: number } {
  const is_head = packet !== undefined && packet.length >= 19 && packet.toString('latin1', 0, 8) === 'OpusHead';
  if (!is_head || (packet[8] ?? 0) >> 4 !== 0 || packet[18] !== 0) throw new Error('the file is not Ogg Opus');
  return { pre_skip: packet.readUInt16LE(10) };
}

/**
 * Reads the first logical stream of a file from its beginning. Malformed packets are skipped, and after unreadable data
 * packets are placed by the granule position of their page.
 * @param file its descriptor
 * @throws Error when the file does not begin as Ogg Opus
 */
export function* readPackets(file: number): Generator<OpusPacket> {
  let serial: number | undefined;
  let skipped = 0;
  let place = 0;
  let headers = 0;
  const begun: Buffer[] = [];
  for (const { page, follows_break } of readPages(file)) {
    if (serial === undefined) {
      if (follows_break || !(page.flags & BEGIN)) break;
      serial = page.serial;
    }
    if (page.serial !== serial) continue;
    const continues = begun.length > 0 && !follows_break;
    const is_cut = Boolean(page.flags & CONTINUED) && !continues;
    if (!(page.flags & CONTINUED) || !continues) begun.length = 0;
    const [cut, ...whole] = splitPage(page, begun);
    const packets = cut === undefined ? [] : is_cut ? whole : [cut, ...whole];
    while (packets.length > 0 && headers < 2) {
      const header = packets.shift();
      if (headers++ === 0) skipped = readHead(header).pre_skip;
    }
    const timed = packets.map((packet) => ({ packet, samples: packet.length < TOO_LONG ? samplesOf(packet) : 0 }));
    const page_samples = timed.reduce((sum, { samples }) => sum + samples, 0);
    if (follows_break && timed.length > 0) place = Math.max(place, Number(page.granule) - page_samples);
    for (const { packet, samples } of timed) {
      if (samples === 0) continue;
      yield { packet, samples, place: place - skipped };
      place += samples;
    }
  }
  if (headers === 0) throw new Error('the file is not Ogg Opus');
}
