import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFrame, makeKeyFrame } from '../../testing/vp8-packets.ts';
import { encodeFrameHeader, encodeIvfHeader, repairIvf } from './ivf.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ivf-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const frames = [makeKeyFrame(640, 360), makeFrame(), makeFrame(50)];
const parts = frames.map((data, index) => Buffer.concat([encodeFrameHeader(data, index * 40), data]));
const whole = Buffer.concat([encodeIvfHeader(640, 360), ...parts]);

async function repair(bytes: Buffer) {
  const path = join(folder, 'videos.ivf');
  await writeFile(path, bytes);
  const repaired = await repairIvf(path);
  return { ...repaired, bytes: await readFile(path) };
}

test('the header contains the codec, the size and the time base of milliseconds', () => {
  expect(whole.toString('latin1', 0, 4)).toBe('DKIF');
  expect(whole.toString('latin1', 8, 12)).toBe('VP80');
  expect([whole.readUInt16LE(6), whole.readUInt16LE(12), whole.readUInt16LE(14)]).toEqual([32, 640, 360]);
  expect([whole.readUInt32LE(16), whole.readUInt32LE(20)]).toEqual([1_000, 1]);
});

test('a file truncated anywhere is repaired up to the last complete frame', async () => {
  expect(await repair(whole)).toEqual({ duration_ms: 120, size_bytes: whole.length, bytes: whole });
  const ends = [32, 32 + (parts[0]?.length ?? 0), 32 + (parts[0]?.length ?? 0) + (parts[1]?.length ?? 0)];
  const cuts = [
    ...Array.from({ length: 30 }, (_, index) => index * 7),
    ...ends.flatMap((end) => [end - 1, end, end + 1]),
  ];
  for (const cut of cuts.filter((at) => at < whole.length)) {
    const complete = ends.findLastIndex((end) => end <= cut);
    const { duration_ms, size_bytes, bytes } = await repair(whole.subarray(0, cut));
    expect([duration_ms, bytes.length], `cut at ${cut}`).toEqual(
      complete <= 0 ? [0, 0] : [complete === 1 ? 40 : 80, ends[complete]],
    );
    expect(size_bytes).toBe(bytes.length);
  }
});

test('trailing zeros after a crash of the machine are removed', async () => {
  const path = join(folder, 'zeros.ivf');
  await writeFile(path, whole);
  await appendFile(path, Buffer.alloc(500));
  expect(await repairIvf(path)).toEqual({ duration_ms: 120, size_bytes: whole.length });
});
