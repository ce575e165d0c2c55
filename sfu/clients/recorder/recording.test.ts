import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../testing/tones.ts';
import { makeFrame, makeKeyFrame, packetize } from '../../testing/vp8-packets.ts';
import { readIndex, repairRecording } from './recording-index.ts';
import { Recording } from './recording.ts';
import type { SubscribedTrack, ListenerEvents } from './room-listener.ts';
import type { IsFull, RecordingSize } from './size-watch.ts';
import { slow } from '../../../testing/slow-tests.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ann: SubscribedTrack = {
  track_sid: 'TR_1',
  identity: 'ann',
  name: 'Ann',
  kind: 'audio',
  codec: 'audio/opus',
  source: 'microphone',
  muted: false,
};
const ben: SubscribedTrack = { ...ann, track_sid: 'TR_2', identity: 'ben', name: 'Ben' };

/** Starts a recording whose room is simulated by the test. */
async function startRecording(
  awaitRoom: () => Promise<boolean> = () => Promise.resolve(false),
  isFull: IsFull = () => Promise.resolve(false),
) {
  const connections: ListenerEvents[] = [];
  const errors: unknown[] = [];
  const requested_key_frames: string[] = [];
  const recording = await Recording.start({
    folder: join(folder, 'running'),
    recording_id: 'rec_1',
    room: 'room',
    withheld: () => Promise.resolve([]),
    isFull,
    listen: (events) => {
      connections.push(events);
      return Promise.resolve({
        leave: () => events.onEnd(false),
        requestKeyFrame: (track_sid) => requested_key_frames.push(track_sid),
        requestPackets: () => undefined,
        review: () => undefined,
      });
    },
    awaitRoom,
    onError: (error) => errors.push(error),
  });
  const index = () => readIndex(join(folder, 'running'));
  /** Sends packets of 20 ms; the first of a track creates its file and is dropped. */
  const play = async (track_sid: string, packets: number, from = 0) => {
    const send = (sequence: number) =>
      connections.at(-1)?.onPacket({
        track_sid,
        sequence,
        timestamp: sequence * 960,
        marker: false,
        payload: Buffer.from([0xf8, 0xff, 0xfe]),
      });
    if (from === 0) {
      const known = (await index())?.tracks.length ?? 0;
      send(65_535);
      await until('the file', async () => ((await index())?.tracks.length ?? 0) > known);
    }
    for (let sequence = from; sequence < from + packets; sequence++) send(sequence);
  };
  return {
    recording,
    connections,
    errors,
    requested_key_frames,
    index,
    play,
    events: () => connections.at(-1) as ListenerEvents,
  };
}

test('records mute and speech spans, and closes open spans when it stops', async () => {
  const { recording, events, play, errors } = await startRecording();
  events().onTracks([ann, ben]);
  await play('TR_1', 50);
  await play('TR_2', 50);
  events().onSpeaking('ann', true);
  events().onTracks([{ ...ann, muted: true }, ben]);
  events().onSpeaking('ann', false);
  events().onSpeaking('ben', true);
  events().onTracks([ann, ben]);
  const { tracks, duration_ms } = await recording.stop();
  const counted = tracks.map(({ identity, muted, spoke, file }) => [identity, muted.length, spoke.length, file]);
  expect(counted).toEqual([
    ['ann', 1, 1, '1.ogg'],
    ['ben', 0, 1, '2.ogg'],
  ]);
  expect(tracks[1]?.spoke[0]?.to_ms).toBeLessThanOrEqual(duration_ms ?? -1);
  expect(tracks.map((track) => track.duration_ms)).toEqual([1_000, 1_000]);
  expect(errors).toEqual([]);
  expect(await recording.stop()).toEqual({ ...(await recording.ended), tracks });
});

test('ends when it may not grow any more, and keeps what it has', { ...slow, timeout: 15_000 }, async () => {
  const sizes: RecordingSize[] = [];
  const { recording, events, play, errors } = await startRecording(undefined, async (size) => {
    sizes.push(size);
    return size.audio_bytes > 0;
  });
  events().onTracks([ann]);
  await play('TR_1', 50);
  const { tracks, duration_ms } = await recording.ended;
  expect(tracks.map(({ identity }) => identity)).toEqual(['ann']);
  expect(tracks[0]?.duration_ms).toBe(1_000);
  expect(sizes.at(-1)?.audio_bytes).toBeGreaterThan(0);
  expect(sizes.at(-1)?.audio_bytes).toBeLessThanOrEqual(tracks[0]?.size_bytes ?? 0);
  expect(sizes.at(-1)?.free_bytes).toBeGreaterThan(0);
  expect(duration_ms).toBeTypeOf('number');
  expect(errors).toEqual([]);
});

test('closes a track that ends, and creates no file for a track without packets', async () => {
  const { recording, events, play, index } = await startRecording();
  events().onTracks([ann, ben]);
  await play('TR_1', 10);
  events().onTracks([ben]);
  await play('TR_1', 10, 10);
  const { tracks } = await recording.stop();
  expect(tracks.map(({ identity, duration_ms }) => [identity, duration_ms])).toEqual([['ann', 200]]);
  expect((await index())?.duration_ms).toBeTypeOf('number');
});

test('continues in new files after a lost connection, until the room has ended', async () => {
  const answers = [true, false];
  const { recording, connections, play } = await startRecording(() => Promise.resolve(answers.shift() ?? false));
  connections[0]?.onTracks([ann]);
  await play('TR_1', 10);
  connections[0]?.onEnd(true);
  await until('the second connection', () => connections.length === 2);
  connections[1]?.onTracks([{ ...ann, track_sid: 'TR_3' }]);
  await play('TR_3', 20);
  connections[1]?.onEnd(true);
  const { tracks } = await recording.ended;
  expect(tracks.map(({ file, duration_ms }) => [file, duration_ms])).toEqual([
    ['1.ogg', 200],
    ['2.ogg', 400],
  ]);
  expect(connections).toHaveLength(2);
});

test('records video besides audio, and reports an unsupported codec once', async () => {
  const { recording, events, errors, requested_key_frames, index } = await startRecording();
  const camera: SubscribedTrack = { ...ann, track_sid: 'TR_5', kind: 'video', codec: 'video/VP8', source: 'camera' };
  const other: SubscribedTrack = { ...camera, track_sid: 'TR_6', codec: 'video/AV1' };
  const show = (frame: Buffer, sequence: number) => {
    for (const track_sid of ['TR_5', 'TR_6'])
      for (const packet of packetize(frame, sequence, sequence * 3_600)) events().onPacket({ track_sid, ...packet });
  };
  events().onTracks([camera, other]);
  events().onTracks([camera, other]);
  expect(errors.map(String)).toEqual(['Error: video in video/AV1 is not recorded']);
  show(makeFrame(), 0);
  expect(requested_key_frames).toEqual(['TR_5']);
  show(makeKeyFrame(640, 360), 1);
  await until('the file', async () => (await index())?.videos.length === 1);
  // Switching the camera off and on starts another segment, which ends with the recording.
  events().onTracks([{ ...camera, muted: true }, other]);
  events().onTracks([camera, other]);
  show(makeKeyFrame(640, 360), 2);
  const { videos, tracks } = await recording.stop();
  expect(tracks).toEqual([]);
  expect(videos.map(({ identity, source, file, width }) => [identity, source, file, width])).toEqual([
    ['ann', 'camera', '1.ivf', 640],
    ['ann', 'camera', '2.ivf', 640],
  ]);
  expect(videos.every(({ size_bytes }) => size_bytes === 32 + 12 + 30)).toBe(true);
});

test('does not rejoin after it was removed', async () => {
  const { recording, connections } = await startRecording(() => Promise.resolve(true));
  connections[0]?.onEnd(false);
  await recording.ended;
  expect(connections).toHaveLength(1);
});

test('the recording of a killed process is repaired, except for the last second', slow, async () => {
  const { recording, events, play } = await startRecording();
  events().onTracks([ann]);
  await play('TR_1', 125);
  events().onTracks([ann, { ...ben, kind: 'video', codec: '', source: 'camera' }]);
  for (const [sequence, frame] of [makeKeyFrame(640, 360), makeFrame(), makeFrame()].entries())
    for (const packet of packetize(frame, sequence, sequence * 90_000))
      events().onPacket({ track_sid: 'TR_2', ...packet });
  const copy = join(folder, 'killed');
  // A copy of the folder is what the process would leave if it were killed now. The next index is left out, since it is
  // renamed while it is copied.
  const filter = (source: string) => !source.endsWith('.new');
  await until('two pages', async () => {
    await rm(copy, { recursive: true, force: true });
    await cp(join(folder, 'running'), copy, { recursive: true, filter });
    const { tracks = [], videos = [] } = (await repairRecording(copy)) ?? {};
    return (tracks[0]?.duration_ms ?? 0) >= 2_000 && (videos[0]?.duration_ms ?? 0) >= 2_000;
  });
  const index = await readIndex(copy);
  expect(index?.duration_ms).toBeGreaterThanOrEqual(2_000);
  expect(index?.tracks[0]?.size_bytes).toBeGreaterThan(300);
  expect(index?.videos).toMatchObject([{ file: '2.ivf', duration_ms: 2_040, size_bytes: 32 + 3 * 12 + 30 + 21 + 21 }]);
  expect(await repairRecording(copy)).toEqual(index);
  expect(await repairRecording(join(folder, 'nothing'))).toBeUndefined();
  await recording.stop();
});
