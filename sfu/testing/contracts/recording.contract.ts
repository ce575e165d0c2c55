/** The content of a recording, on every media server alike: who played which tone, and when. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decoder } from '@audio/decode-opus';
import { Room, RoomEvent } from '@livekit/rtc-node';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { identityOf, Recorder } from '../../clients/recorder/recorder.ts';
import type { RecordedTrack } from '../../clients/recorder/recording-index.ts';
import type { JoinTarget } from './join.contract.ts';
import { askForRooms } from '../ask-for-rooms.ts';
import { playTone, publishTone, shareAt, until } from '../tones.ts';

const RATE = 48_000;

/** Declares the suite's tests. @param start starts the media server */
export function testRecording(start: () => Promise<JoinTarget>): void {
  let target: JoinTarget;
  let recorder: Recorder;
  let folder = '';
  let name = '';
  let rooms = 0;
  const open: Room[] = [];
  beforeAll(async () => {
    target = await start();
    folder = await mkdtemp(join(tmpdir(), 'recordings-'));
    recorder = new Recorder({ ...target, folder, hasRoom: askForRooms(target) });
  });
  afterAll(async () => {
    await recorder.close();
    await target.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    name = `recording-${process.pid}-${++rooms}`;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((room) => room.disconnect()));
  });

  async function connect(identity: string): Promise<Room> {
    const token = new AccessToken(target.api_key, target.api_secret, { identity, name: identity.toUpperCase() });
    token.addGrant({ roomJoin: true, roomCreate: true, room: name });
    const room = new Room();
    await room.connect(target.url.replace('http', 'ws'), await token.toJwt(), { autoSubscribe: true, dynacast: false });
    open.push(room);
    return room;
  }
  const service = () => new RoomServiceClient(target.url, target.api_key, target.api_secret);
  const writtenMs = async (recording_id: string, identity: string): Promise<number> =>
    (await recorder.find(recording_id))?.tracks.find((track) => track.identity === identity)?.duration_ms ?? 0;

  async function decode(recording_id: string, track: RecordedTrack): Promise<Float32Array> {
    const opus = await decoder();
    const bytes = await readFile(recorder.pathOf(recording_id, track.file));
    const pieces = [opus.decode(bytes), opus.flush()].map(({ channelData }) => [...(channelData[0] ?? [])]);
    opus.free();
    return Float32Array.from(pieces.flat());
  }
  /** The share of a tone in the second that starts at a time of a track. */
  const shareFrom = (samples: Float32Array, from_ms: number, hertz: number): number => {
    const piece = samples.subarray((from_ms * RATE) / 1000, ((from_ms + 1_000) * RATE) / 1000);
    return shareAt(
      Int16Array.from(piece, (sample) => sample * 32_767),
      RATE,
      hertz,
    );
  };

  test('each track contains its tone for as long as it was played, at its time', async () => {
    const [alice, bob] = [await connect('alice'), await connect('bob')];
    const appeared: string[] = [];
    alice.on(RoomEvent.ParticipantConnected, ({ identity }: { identity: string }) => appeared.push(identity));
    const low = await publishTone(alice, 440);
    const recording_id = `rec_${name}`;
    const recording = await recorder.start(name, recording_id);
    await until('isRecording of bob', () => bob.isRecording);
    await until('audio of alice', async () => (await writtenMs(recording_id, 'alice')) > 1_500);
    const high = await publishTone(bob, 880);
    await until('audio of bob', async () => (await writtenMs(recording_id, 'bob')) > 2_500);
    const { tracks, duration_ms } = await recording.stop();
    await until('the end of isRecording of bob', () => !bob.isRecording);
    await Promise.all([low.stop(), high.stop()]);

    expect(tracks.map(({ identity, name: shown, source }) => [identity, shown, source]).toSorted()).toEqual([
      ['alice', 'ALICE', 'microphone'],
      ['bob', 'BOB', 'microphone'],
    ]);
    const [a, b] = ['alice', 'bob'].map((who) => tracks.find(({ identity }) => identity === who));
    if (!a || !b || duration_ms === null) throw new Error('a track or the length is missing');
    const [samples_of_a, samples_of_b] = [await decode(recording_id, a), await decode(recording_id, b)];
    expect(shareFrom(samples_of_a, 500, 440)).toBeGreaterThan(0.8);
    expect(shareFrom(samples_of_a, 500, 880)).toBeLessThan(0.05);
    expect(shareFrom(samples_of_b, 1_000, 880)).toBeGreaterThan(0.8);
    expect(b.starts_ms - a.starts_ms).toBeGreaterThan(1_000);
    for (const [track, samples] of [
      [a, samples_of_a],
      [b, samples_of_b],
    ] as const) {
      expect(Math.abs(samples.length / 48 - track.duration_ms)).toBeLessThan(100);
      expect(Math.abs(track.starts_ms + track.duration_ms - duration_ms)).toBeLessThan(400);
      expect(track.spoke.length).toBeGreaterThan(0);
    }
    // The recorder was hidden from the participants.
    expect(appeared).not.toContain(identityOf(recording_id));
    await recorder.discard(recording_id);
    expect(await recorder.find(recording_id)).toBeUndefined();
  });

  test('a participant without consent is left out, and recorded from consent until its withdrawal', async () => {
    const [alice, bob] = [await connect('alice'), await connect('bob')];
    const tones = [await publishTone(alice, 440), await publishTone(bob, 880)];
    const recording_id = `rec_${name}`;
    let withheld = ['bob'];
    // The withdrawal and its first answer to the recorder, in ms from before the recording's start.
    const before_ms = performance.now();
    let [declined_ms, noticed_ms] = [Infinity, Infinity];
    const recording = await recorder.start(name, recording_id, async () => {
      const now_ms = performance.now() - before_ms;
      if (now_ms > declined_ms) noticed_ms = Math.min(noticed_ms, now_ms);
      return withheld;
    });
    await until('audio of alice', async () => (await writtenMs(recording_id, 'alice')) > 2_500);
    expect(await writtenMs(recording_id, 'bob')).toBe(0);
    withheld = [];
    await until('audio of bob', async () => (await writtenMs(recording_id, 'bob')) > 1_500);
    withheld = ['bob'];
    declined_ms = performance.now() - before_ms;
    const end_ms = declined_ms + 3_000;
    await until('more audio of alice', async () => (await writtenMs(recording_id, 'alice')) > end_ms);
    const { tracks } = await recording.stop();
    await Promise.all(tones.map((tone) => tone.stop()));
    const [a, b] = ['alice', 'bob'].map((who) => tracks.find(({ identity }) => identity === who));
    if (!a || !b) throw new Error('a track is missing');
    expect(tracks).toHaveLength(2);
    expect(b.starts_ms - a.starts_ms).toBeGreaterThan(2_000);
    // It is noticed within a second or so, and nothing of bob is recorded from then on: neither is measured by the index,
    // which says late how much was written. Audio that arrived in a burst may end somewhat later than its clock.
    expect(noticed_ms - declined_ms).toBeLessThan(1_500);
    expect(b.starts_ms + b.duration_ms).toBeLessThan(noticed_ms + 500);
    await recorder.discard(recording_id);
  });

  test('a pause of a microphone becomes silence of the same length', async () => {
    const alice = await connect('alice');
    const tone = await publishTone(alice, 440);
    const recording_id = `rec_${name}`;
    const recording = await recorder.start(name, recording_id);
    await until('audio', async () => (await writtenMs(recording_id, 'alice')) > 1_000);
    await tone.stop();
    await tone.source.waitForPlayout();
    const stopped_at_ms = performance.now();
    await until('2.5 s of silence', () => performance.now() - stopped_at_ms > 2_500);
    const stop = playTone(tone.source, 880);
    const resumed_after_ms = performance.now() - stopped_at_ms;
    await until('audio again', async () => (await writtenMs(recording_id, 'alice')) > 6_500);
    const { tracks } = await recording.stop();
    await stop();
    const [track] = tracks;
    if (!track) throw new Error('no track');
    const samples = await decode(recording_id, track);
    const tenths = Array.from({ length: Math.floor(samples.length / 4_800) }, (_, at) => samples.subarray(at * 4_800));
    const containsTone = (hertz: number) => (piece: Float32Array) =>
      shareFrom(piece.subarray(0, 4_800), 0, hertz) > 0.5;
    const [last_low, first_high] = [tenths.findLastIndex(containsTone(440)), tenths.findIndex(containsTone(880))];
    expect(first_high).toBeGreaterThan(0);
    expect(Math.abs((first_high - last_low) * 100 - resumed_after_ms)).toBeLessThan(500);
    const silence = samples.subarray((last_low + 8) * 4_800, (first_high - 2) * 4_800);
    expect(Math.max(...silence.map(Math.abs))).toBeLessThan(0.02);
  });

  test('removing the recorder ends the recording, and the room ends although it is being recorded', async () => {
    await expect(recorder.start(name, 'rec_of_nothing')).rejects.toThrow('no such room');
    const alice = await connect('alice');
    const tone = await publishTone(alice, 440);
    const first = await recorder.start(name, `rec_1_${name}`);
    await until('audio', async () => (await writtenMs(`rec_1_${name}`, 'alice')) > 500);
    await service().removeParticipant(name, identityOf(`rec_1_${name}`));
    expect((await first.ended).tracks).toHaveLength(1);

    const second = await recorder.start(name, `rec_2_${name}`);
    await until('audio', async () => (await writtenMs(`rec_2_${name}`, 'alice')) > 500);
    await tone.stop();
    // Only the recorder is left, which does not keep the room open: the room ends by its time-out.
    await alice.disconnect();
    expect((await second.ended).tracks).toHaveLength(1);
    await until('the room to end', async () => (await service().listRooms([name])).length === 0);
  });
}
