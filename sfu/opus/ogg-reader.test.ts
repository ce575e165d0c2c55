import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OggOpusWriter, type OggOpusOptions } from './ogg.ts';
import { readPackets, type OpusPacket } from './ogg-reader.ts';
import { slow } from '../../testing/slow-tests.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ogg-reader-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a distinguishable packet of 20 ms (CELT, full band). */
const packetOf = (number: number, length = 40) => {
  const packet = Buffer.alloc(length, number);
  packet[0] = 0xf8;
  return packet;
};
function write(packets: Buffer[], options?: OggOpusOptions): Buffer {
  const pages: Buffer[] = [];
  const writer = new OggOpusWriter(7, (page) => pages.push(page), options);
  for (const packet of packets) writer.add(packet, 960);
  writer.end();
  return Buffer.concat(pages);
}
function read(bytes: Buffer): OpusPacket[] {
  const path = join(folder, 'track.ogg');
  writeFileSync(path, bytes);
  const file = openSync(path, 'r');
  try {
    return [...readPackets(file)];
  } finally {
    closeSync(file);
  }
}
const pagesOf = (bytes: Buffer) => [...bytes.toString('latin1').matchAll(/OggS/g)].map(({ index }) => index);

test('reads the packets that were written, each at its position', () => {
  // Lengths at segment boundaries; more data than the reader buffers.
  const packets = Array.from({ length: 1_000 }, (_, number) =>
    packetOf(number % 200, [40, 254, 255, 256, 510, 1275][number % 6]),
  );
  const comments = Array.from(
    { length: 2_000 },
    (_, number) => `COMMENT=of a packet that needs more than a page, ${number}`,
  );
  const found = read(write(packets, { comments }));
  expect(found.map(({ packet }) => packet)).toEqual(packets);
  expect(found.map(({ place }) => place)).toEqual(packets.map((_, number) => number * 960));
});

test('returns negative positions for the pre-skip', () => {
  expect(read(write([packetOf(1), packetOf(2)], { pre_skip: 312 })).map(({ place }) => place)).toEqual([-312, 648]);
});

test('skips a damaged page, and keeps the positions of the following packets', () => {
  const bytes = write(Array.from({ length: 200 }, (_, number) => packetOf(number)));
  bytes.fill(0, (pagesOf(bytes)[3] ?? 0) + 100, (pagesOf(bytes)[3] ?? 0) + 200);
  const places = read(bytes).map(({ packet, place }) => [packet[1], place / 960]);
  expect(places).toEqual(
    [...Array(50).keys(), ...Array.from({ length: 100 }, (_, at) => at + 100)].map((at) => [at, at]),
  );
});

test('reads a truncated file up to the first incomplete page', () => {
  const bytes = write(Array.from({ length: 200 }, (_, number) => packetOf(number)));
  for (const length of [bytes.length - 1, (pagesOf(bytes)[5] ?? 0) + 3, (pagesOf(bytes)[5] ?? 0) + 40])
    expect(read(bytes.subarray(0, length))).toHaveLength(150);
});

test('skips malformed packets', () => {
  const packets = [packetOf(1), Buffer.alloc(0), Buffer.from([0xfb, 0x3f]), packetOf(2)];
  expect(read(write(packets)).map(({ packet }) => packet[1])).toEqual([1, 2]);
});

test('rejects a file that does not start as Ogg Opus', () => {
  const bytes = write([packetOf(1)]);
  const surround = Buffer.from(bytes);
  surround[surround.indexOf('OpusHead') + 18] = 1;
  for (const other of [Buffer.alloc(0), Buffer.from('OggS and nothing more'), surround, bytes.subarray(1)])
    expect(() => read(other)).toThrow('the file is not Ogg Opus');
});

test('returns complete packets in order for any damaged file', slow, () => {
  const bytes = write(Array.from({ length: 150 }, (_, number) => packetOf(number)));
  const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(damage, (changes) => {
      const damaged = Buffer.from(bytes);
      for (const [at, value] of changes) damaged[at] = value;
      let found: OpusPacket[] = [];
      try {
        found = read(damaged);
      } catch (error) {
        expect(error).toMatchObject({ message: 'the file is not Ogg Opus' });
      }
      for (const { packet, place } of found) expect([packet.length, place]).toEqual([40, (packet[1] ?? 0) * 960]);
    }),
    { numRuns: 200 },
  );
});
