import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../testing/tones.ts';
import { makeFrame, makeKeyFrame, packetize } from '../../testing/vp8-packets.ts';
import { VideoTrack, type VideoBudget } from './video-track.ts';
import type { RecordedVideo } from './recording-index.ts';
import type { MediaPacket } from './rtp-timeline.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'videos-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a track whose recording began at 1,000 ms, with a clock that the test controls. */
function startTrack(budget: VideoBudget = { bytes: 1_000_000, segments: 100 }, source = 'camera') {
  const segments: RecordedVideo[] = [];
  const keys: string[] = [];
  const missing: number[][] = [];
  const errors: unknown[] = [];
  let files = 0;
  const track = new VideoTrack(
    { identity: 'ann', name: 'Ann', track_id: 'TR_1', source },
    {
      folder,
      started_at_ms: 1_000,
      budget,
      nameFile: () => `${++files}.ivf`,
      onSegment: (entry) => segments.push(entry),
      onError: (error) => errors.push(error),
      requestKeyFrame: (track_id) => keys.push(track_id),
      requestPackets: (_, sequences) => missing.push(sequences),
    },
  );
  let sequence = 65_530;
  /** Creates the packets of a frame at a time of the recording. */
  const packetsOf = (frame: Buffer, at_ms: number): MediaPacket[] => {
    const packets = packetize(frame, sequence, 2 ** 32 - 9_000 + at_ms * 90, 200);
    sequence = (sequence + packets.length) & 0xffff;
    return packets;
  };
  const add = (packets: MediaPacket[], at_ms: number) => {
    for (const packet of packets) track.add(packet, 1_000 + at_ms);
  };
  const show = (frame: Buffer, at_ms: number) => add(packetsOf(frame, at_ms), at_ms);
  return { track, segments, keys, missing, errors, packetsOf, add, show };
}

/** The times of a file's frames in ms, and their lengths; a frame whose header is still being written is not counted. */
async function readFrames(file: string): Promise<[number, number][]> {
  const bytes = await readFile(join(folder, file));
  const frames: [number, number][] = [];
  for (let at = 32; at + 12 <= bytes.length; at += 12 + bytes.readUInt32LE(at))
    frames.push([Number(bytes.readBigUInt64LE(at + 4)), bytes.readUInt32LE(at)]);
  return frames;
}

test('writes frames at their times, in any order of arrival, over the wrap of RTP timestamps and sequence numbers', async () => {
  const { track, segments, packetsOf, add, show } = startTrack();
  show(makeKeyFrame(640, 360, 900), 50);
  const [second, third] = [packetsOf(makeFrame(500), 90), packetsOf(makeFrame(), 130)];
  add([...second.slice(1), ...third], 131);
  add(second.slice(0, 1), 132);
  show(makeFrame(), 1_050);
  await track.close(2_000);
  expect(segments).toMatchObject([{ file: '1.ivf', starts_ms: 50, duration_ms: 1_950, width: 640, height: 360 }]);
  expect(await readFrames('1.ivf')).toEqual([
    [0, 910],
    [40, 501],
    [80, 21],
    [1_000, 21],
  ]);
});

test('requests a lost packet, then a key frame, and leaves a gap', async () => {
  const { track, segments, keys, missing, packetsOf, add, show } = startTrack();
  show(makeKeyFrame(640, 360), 0);
  const incomplete = packetsOf(makeFrame(500), 40);
  add([incomplete[0], incomplete[2]] as MediaPacket[], 40);
  show(makeFrame(), 80);
  expect(missing).toEqual([[incomplete[1]?.sequence]]);
  expect(keys).toEqual([]);
  // It does not arrive: after half a second the waiting frames are dropped.
  show(makeFrame(), 600);
  show(makeFrame(), 640);
  expect(keys).toEqual(['TR_1']);
  show(makeFrame(), 1_620);
  show(makeFrame(), 1_660);
  expect(keys).toHaveLength(2);
  show(makeKeyFrame(640, 360), 1_700);
  show(makeFrame(), 1_740);
  await track.close(1_800);
  expect(await readFrames('1.ivf')).toEqual([
    [0, 30],
    [1_700, 30],
    [1_740, 21],
  ]);
  expect(segments).toHaveLength(1);
});

test('ends a segment when the camera is off, the size changes or a placeholder arrives', async () => {
  const { track, segments, show, errors } = startTrack();
  show(makeKeyFrame(640, 360), 0);
  show(makeFrame(), 40);
  track.markPause(500);
  // No segment starts without a key frame.
  show(makeFrame(), 3_000);
  show(makeKeyFrame(640, 360), 3_040);
  show(makeKeyFrame(1_280, 720), 4_000);
  show(makeKeyFrame(8, 8), 5_000);
  show(makeFrame(), 5_040);
  show(makeKeyFrame(16_000, 16_000), 5_500);
  show(makeKeyFrame(320, 180), 6_000);
  await track.close(20_000);
  expect(segments.map(({ starts_ms, duration_ms, width }) => [starts_ms, duration_ms, width])).toEqual([
    [0, 500, 640],
    [3_040, 960, 640],
    [4_000, 1_000, 1_280],
    // A camera that stops sending is shown for five more seconds.
    [6_000, 5_000, 320],
  ]);
  expect(errors).toEqual([]);
});

test('continues a screen without new frames until its end', async () => {
  const { track, segments, show } = startTrack(undefined, 'screen_share');
  show(makeKeyFrame(640, 360), 0);
  await track.close(60_000);
  expect(segments[0]?.duration_ms).toBe(60_000);
});

test('requests a key frame periodically, and flushes frames so that they survive a crash', async () => {
  const { track, segments, keys, show } = startTrack();
  show(makeKeyFrame(640, 360), 0);
  for (let at_ms = 40; at_ms <= 20_000; at_ms += 40) show(makeFrame(), at_ms);
  expect(keys).toEqual([]);
  show(makeFrame(), 20_040);
  expect(keys).toEqual(['TR_1']);
  await until('the file', () => segments.length === 1);
  track.tick(21_100);
  await until('the written frames', async () => (await readFrames('1.ivf')).length === 502);
  await until('its size in the index', () => {
    track.tick(22_100);
    return (segments[0]?.size_bytes ?? 0) > 16_000;
  });
  expect(segments[0]).toMatchObject({ duration_ms: 20_080 });
  await track.close(20_080);
});

test('is not shifted by a first frame that arrived late', async () => {
  const { track, segments, packetsOf, add, show } = startTrack();
  add(packetsOf(makeKeyFrame(640, 360), 100), 220);
  for (let at_ms = 140; at_ms < 2_000; at_ms += 40) show(makeFrame(), at_ms);
  await track.close(2_020);
  expect(segments[0]).toMatchObject({ starts_ms: 100, duration_ms: 1_920 });
});

test('ends when the budget of the recording is used up, and reports it once', async () => {
  const { track, segments, show, errors } = startTrack({ bytes: 100, segments: 100 });
  show(makeKeyFrame(640, 360), 0);
  for (let at_ms = 40; at_ms < 1_000; at_ms += 40) show(makeFrame(), at_ms);
  show(makeKeyFrame(640, 360), 1_000);
  await track.close(2_000);
  expect([segments.length, errors.length, (await readFrames('1.ivf')).length]).toEqual([1, 1, 4]);
});

test('drops a segment and reports an error when the folder is not writable', async () => {
  await rm(folder, { recursive: true });
  const { track, segments, show, errors } = startTrack();
  show(makeKeyFrame(640, 360), 0);
  await track.close(100);
  expect([segments, errors.length]).toEqual([[], 1]);
});
