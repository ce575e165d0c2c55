import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decoder } from '@audio/decode-opus';
import { Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { describe, expect, test } from 'vitest';
import { startSfu } from '../../index.ts';
import { publishColour } from '../../testing/colours.ts';
import { testVideo } from '../../testing/contracts/video.contract.ts';
import { testRecording } from '../../testing/contracts/recording.contract.ts';
import { publishTone, until } from '../../testing/tones.ts';
import { askForRooms } from '../../testing/ask-for-rooms.ts';
import { Recorder } from './recorder.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };

describe('recording with the embedded server', () => {
  const start = async () => {
    const sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key, departure_timeout_s: 1 });
    return { url: sfu.url, ...key, close: () => sfu.close() };
  };
  testRecording(start);
  testVideo(start);
});

test('a killed recorder leaves its recording up to two seconds before the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  const sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key });
  const token = new AccessToken(key.api_key, key.api_secret, { identity: 'alice' });
  token.addGrant({ roomJoin: true, room: 'killed' });
  const alice = new Room();
  await alice.connect(sfu.url.replace('http', 'ws'), await token.toJwt(), { autoSubscribe: true, dynacast: false });
  const tone = await publishTone(alice, 440);
  const camera = await publishColour(alice, [220, 20, 20]);
  const script = join(import.meta.dirname, '../../testing/record-room.ts');
  const child = spawn(process.execPath, [script, sfu.url, key.api_key, key.api_secret, folder, 'killed', 'rec_1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const recorder = new Recorder({ url: sfu.url, ...key, folder, hasRoom: askForRooms({ url: sfu.url, ...key }) });
  await until('the files', async () => {
    const { tracks = [], videos = [] } = (await recorder.find('rec_1')) ?? {};
    return tracks.length > 0 && videos.length > 0;
  });
  const started_at_ms = performance.now();
  await until('four seconds', () => performance.now() - started_at_ms > 4_000);
  child.kill('SIGKILL');
  const recorded_ms = performance.now() - started_at_ms;
  await once(child, 'exit');
  const [index] = await recorder.recover();
  const [track] = index?.tracks ?? [];
  expect(track?.duration_ms).toBeGreaterThan(recorded_ms - 2_000);
  const videos = index?.videos ?? [];
  const video_ms = videos.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  expect(video_ms).toBeGreaterThan(recorded_ms - 2_000);
  for (const { file, size_bytes } of videos)
    expect((await readFile(recorder.pathOf('rec_1', file))).length).toBe(size_bytes);
  const opus = await decoder();
  const bytes = await readFile(recorder.pathOf('rec_1', track?.file ?? ''));
  const samples = [opus.decode(bytes), opus.flush()].map(({ channelData }) => channelData[0]?.length ?? 0);
  opus.free();
  expect(samples.reduce((sum, length) => sum + length, 0)).toBe((track?.duration_ms ?? 0) * 48);
  await tone.stop();
  await camera.stop();
  await alice.disconnect();
  await sfu.close();
  await rm(folder, { recursive: true });
});
