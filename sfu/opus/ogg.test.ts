import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decoder } from '@audio/decode-opus';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endFile, OggOpusWriter } from './ogg.ts';

/** 20 ms of silence (CELT, full band). */
const PACKET = Buffer.from([0xf8, 0xff, 0xfe]);
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ogg-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function write(packets: number, end: boolean): Buffer {
  const pages: Buffer[] = [];
  const writer = new OggOpusWriter(7, (page) => pages.push(page));
  for (let packet = 0; packet < packets; packet++) writer.add(PACKET, 960);
  if (end) writer.end();
  return Buffer.concat(pages);
}

async function decode(bytes: Buffer): Promise<number> {
  const opus = await decoder();
  const samples = [opus.decode(bytes), opus.flush()].map(({ channelData }) => channelData[0]?.length ?? 0);
  opus.free();
  return samples.reduce((sum, length) => sum + length, 0);
}

async function repair(bytes: Buffer): Promise<{ samples: number; length: number; decoded: number }> {
  const path = join(folder, 'track.ogg');
  await writeFile(path, bytes);
  const file = await open(path, 'r+');
  const samples = await endFile(file);
  const whole = await file.readFile();
  await file.close();
  return { samples, length: whole.length, decoded: whole.length > 0 ? await decode(whole) : 0 };
}

test('an independent decoder reads as many samples as were written', async () => {
  expect(await decode(write(125, true))).toBe(125 * 960);
});

test('packets longer than a segment, and more packets than fit into a page, are written to complete pages', async () => {
  const pages: Buffer[] = [];
  const writer = new OggOpusWriter(7, (page) => pages.push(page), { page_samples: Infinity });
  for (let packet = 0; packet < 200; packet++) writer.add(Buffer.concat([PACKET, Buffer.alloc(507)]), 960);
  writer.end();
  const sizes = pages.slice(2).map((page) => page[26] ?? 0);
  // 510 bytes are two full segments and an empty one.
  expect(sizes).toEqual([255, 255, 90]);
  expect(pages.slice(2).map((page) => Number(page.readBigInt64LE(6)) / 960)).toEqual([85, 170, 200]);
});

test('a file truncated within a page is repaired up to the page before', async () => {
  // Two and a half seconds: two pages of a second each were written, the third was not complete.
  const bytes = write(125, false);
  const before = await repair(bytes);
  expect(before).toMatchObject({ samples: 96_000, decoded: 96_000 });
  expect(await repair(bytes.subarray(0, bytes.length - 20))).toMatchObject({ samples: 48_000, decoded: 48_000 });
  const damaged = Buffer.from(bytes);
  damaged[damaged.length - 3] = 0x55;
  expect((await repair(damaged)).samples).toBe(48_000);
});

test('a complete file is unchanged, and a file without headers is emptied', async () => {
  const bytes = write(50, true);
  expect(await repair(bytes)).toMatchObject({ samples: 48_000, length: bytes.length });
  expect(await repair(Buffer.from('OggS and no more'))).toEqual({ samples: 0, length: 0, decoded: 0 });
  const path = join(folder, 'empty');
  await writeFile(path, '');
  await truncate(path, 0);
  const file = await open(path, 'r+');
  expect(await endFile(file)).toBe(0);
  await file.close();
});
