/** The video of a recording, on every media server alike: who sent which colour, and when. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Room, TrackSource } from '@livekit/rtc-node';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Recorder } from '../../clients/recorder/recorder.ts';
import type { RecordedVideo } from '../../clients/recorder/recording-index.ts';
import { ffmpeg, isColour, publishColour, readColours, type Colour } from '../colours.ts';
import type { JoinTarget } from './join.contract.ts';
import { missing_browser, openPages } from '../pages.ts';
import { askForRooms } from '../ask-for-rooms.ts';
import { publishTone, until } from '../tones.ts';
import { itUnlessMissing } from '../../../testing/skip.ts';

const red: Colour = [220, 20, 20];
const blue: Colour = [20, 20, 220];
const green: Colour = [20, 200, 20];

/** The times of the frames of a file, in ms from its start. */
async function readTimes(path: string): Promise<number[]> {
  const bytes = await readFile(path);
  const times: number[] = [];
  for (let at = 32; at < bytes.length; at += 12 + bytes.readUInt32LE(at))
    times.push(Number(bytes.readBigUInt64LE(at + 4)));
  return times;
}

/** Declares the suite's tests. @param start starts the media server */
export function testVideo(start: () => Promise<JoinTarget>): void {
  let target: JoinTarget;
  let recorder: Recorder;
  let folder = '';
  beforeAll(async () => {
    target = await start();
    folder = await mkdtemp(join(tmpdir(), 'videos-'));
    recorder = new Recorder({ ...target, folder, hasRoom: askForRooms(target) });
  });
  afterAll(async () => {
    await recorder.close();
    await target.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function connect(identity: string, name: string): Promise<Room> {
    const token = new AccessToken(target.api_key, target.api_secret, { identity, name: identity.toUpperCase() });
    token.addGrant({ roomJoin: true, roomCreate: true, room: name });
    const room = new Room();
    await room.connect(target.url.replace('http', 'ws'), await token.toJwt(), { autoSubscribe: true, dynacast: true });
    return room;
  }
  const recordedMs = async (recording_id: string, identity: string, source = 'camera'): Promise<number> =>
    ((await recorder.find(recording_id))?.videos ?? [])
      .filter((piece) => piece.identity === identity && piece.source === source)
      .reduce((sum, { duration_ms }) => sum + duration_ms, 0);

  test('records cameras and a screen besides audio, from their start to their end', async () => {
    const name = `videos-${process.pid}`;
    const recording_id = `rec_${name}`;
    const [alice, bob] = [await connect('alice', name), await connect('bob', name)];
    const tone = await publishTone(alice, 440);
    const camera = await publishColour(alice, red);
    const recording = await recorder.start(name, recording_id);
    await until('the camera of alice', async () => (await recordedMs(recording_id, 'alice')) > 1_500);
    const late = await publishColour(bob, blue, { width: 320, height: 240 });
    await until('the camera of bob', async () => (await recordedMs(recording_id, 'bob')) > 1_500);
    const screen = await publishColour(bob, green, {
      width: 800,
      height: 600,
      source: TrackSource.SOURCE_SCREENSHARE,
    });
    await until('the screen of bob', async () => (await recordedMs(recording_id, 'bob', 'screen_share')) > 1_500);
    // A camera that the server mutes ends; the audio continues.
    const rooms = new RoomServiceClient(target.url, target.api_key, target.api_secret);
    await rooms.mutePublishedTrack(name, 'alice', camera.publication?.sid ?? '', true);
    const muted_at_ms = performance.now();
    await until('two seconds without it', () => performance.now() - muted_at_ms > 2_000);
    const { videos, tracks, duration_ms } = await recording.stop();
    await Promise.all([tone.stop(), camera.stop(), late.stop(), screen.stop()]);
    await Promise.all([alice.disconnect(), bob.disconnect()]);

    expect(tracks.map(({ identity }) => identity)).toEqual(['alice']);
    const of = (identity: string, source: string): RecordedVideo[] =>
      videos.filter((piece) => piece.identity === identity && piece.source === source);
    const [[a], [b], [shared]] = [of('alice', 'camera'), of('bob', 'camera'), of('bob', 'screen_share')];
    if (!a || !b || !shared || duration_ms === null) throw new Error('a video or the length is missing');
    expect(b.starts_ms - a.starts_ms).toBeGreaterThan(1_000);
    expect(shared.starts_ms - b.starts_ms).toBeGreaterThan(1_000);
    const last = of('alice', 'camera').at(-1) ?? a;
    expect(last.starts_ms + last.duration_ms).toBeLessThan(duration_ms - 1_500);
    for (const piece of [of('bob', 'camera').at(-1) ?? b, of('bob', 'screen_share').at(-1) ?? shared])
      expect(Math.abs(piece.starts_ms + piece.duration_ms - duration_ms)).toBeLessThan(500);
    for (const [piece, colour] of [
      [a, red],
      [b, blue],
      [shared, green],
    ] as const) {
      const path = recorder.pathOf(recording_id, piece.file);
      const times = await readTimes(path);
      expect(times[0]).toBe(0);
      expect(times).toEqual(times.toSorted((first, second) => first - second));
      expect(times.length).toBeGreaterThan(3);
      if (ffmpeg === undefined) continue;
      const [seen] = readColours(path, 0, [[piece.width >> 1, piece.height >> 1]], piece.width);
      expect([isColour(seen, colour), seen]).toEqual([true, seen]);
    }
    await recorder.discard(recording_id);
  });

  // Chromium sends layers, and stops sending those without subscribers (dynacast).
  itUnlessMissing(
    missing_browser,
    'the recorder counts as a subscriber, so that a camera without other viewers is recorded',
    async () => {
      const name = `watched-${process.pid}`;
      const recording_id = `rec_${name}`;
      const pages = await openPages(target);
      try {
        const page = await pages.join('carol', name, target.url, { room_options: { dynacast: true } });
        await page.evaluate('room.localParticipant.setCameraEnabled(true)');
        const recording = await recorder.start(name, recording_id);
        const written = async () => (await recordedMs(recording_id, 'carol')) > 9_000;
        await until('nine seconds of the camera', written, 25_000);
        await page.evaluate('room.localParticipant.setCameraEnabled(false)');
        const off_at_ms = performance.now();
        await until('two seconds without', () => performance.now() - off_at_ms > 2_000);
        const before = (await recorder.find(recording_id))?.videos.length ?? 0;
        await page.evaluate('room.localParticipant.setCameraEnabled(true)');
        await until(
          'it to be on again',
          async () => ((await recorder.find(recording_id))?.videos.length ?? 0) > before,
        );
        const { videos } = await recording.stop();
        // A server may start with a smaller layer, whose piece is followed by others.
        const [last, resumed] = videos.slice(before - 1, before + 1);
        if (!last || !resumed) throw new Error('a piece is missing');
        expect(resumed.starts_ms - last.starts_ms - last.duration_ms).toBeGreaterThan(1_000);
        for (const { file, width, height } of videos) {
          expect([width <= 1_280, height <= 720]).toEqual([true, true]);
          expect((await readTimes(recorder.pathOf(recording_id, file)))[0]).toBe(0);
        }
      } finally {
        await pages.close();
      }
    },
  );
}
