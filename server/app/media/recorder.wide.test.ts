import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { decoder } from '@audio/decode-opus';
import { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSfu, type Sfu } from '../../../sfu/index.ts';
import { createMixdown } from '../../../sfu/mixdown/mixdown.ts';
import { publishTone, shareAt, until } from '../../../sfu/testing/tones.ts';
import { createLiveKitMedia } from '../../engines/media/livekit.ts';
import type { Media, Recorder } from '../../engines/ports.ts';
import { createFfmpegTranscoder } from '../../engines/transcoder/ffmpeg.ts';
import { findChapters } from '../../kernel/media/chapters.ts';
import { openRecorder } from './recorder.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const program = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'ffmpeg'))
  .find((path) => existsSync(path));
const key = { api_key: 'embedded', api_secret: 'a-secret-of-thirty-two-characters' };
const rights = { publish: true, subscribe: true, data: true, admin: false };

describeUnlessMissing(program ? undefined : 'ffmpeg', 'recording and mixing of a call', () => {
  let sfu: Sfu;
  let media: Media;
  let recorder: Recorder;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-mixed-'));
    sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key });
    media = await createLiveKitMedia({ api_url: sfu.url, client_url: sfu.url.replace('http', 'ws'), ...key });
    recorder = await openRecorder({ api_url: sfu.url, ...key }, media, join(folder, 'recordings'), () => undefined);
  });
  afterAll(async () => {
    await recorder.close();
    await sfu.close();
    rmSync(folder, { recursive: true });
  });

  it('creates one file with each speaker at the right time, and a chapter for each speaker', async () => {
    const join_as = async (identity: string, name: string) => {
      await media.openRoom('mixed');
      const { url, token } = await media.grant({ room: 'mixed', identity, name, rights, ttl_s: 60 });
      const client = new Room();
      await client.connect(url, token, { autoSubscribe: true, dynacast: false });
      return client;
    };
    const [ann, ben] = [await join_as('usr_ann', 'Ann = #1; "A\\B"'), await join_as('usr_ben', 'Ben')];
    const recording = await recorder.start({ room: 'mixed', recording_id: 'rec_mixed', withheld: async () => [] });
    const started_at_ms = performance.now();
    const waitUntil = (ms: number) => until(`${ms} ms`, () => performance.now() - started_at_ms > ms);
    const low = await publishTone(ann, 440);
    await waitUntil(4_000);
    await low.stop();
    const high = await publishTone(ben, 880);
    await waitUntil(8_000);
    const { tracks, duration_ms } = await recording.stop();
    await high.stop();
    await Promise.all([ann.disconnect(), ben.disconnect()]);

    const into = join(folder, 'mixed.ogg');
    const mixture = {
      tracks,
      duration_ms,
      into,
      chapters: findChapters(tracks),
    };
    const transcoder = createFfmpegTranscoder({ program: program ?? '' });
    for (const mix of [transcoder.mix, createMixdown()]) {
      const mixed = await mix(mixture);
      const bytes = readFileSync(into);
      expect(mixed).toEqual({ size_bytes: bytes.length });
      const printed = execFileSync('ffprobe', ['-v', 'error', '-show_chapters', '-of', 'json', into]).toString();
      const { chapters } = JSON.parse(printed) as { chapters: { start_time: string; tags: { title: string } }[] };
      expect(chapters.map(({ tags }) => tags.title)).toEqual(['Ann = #1; "A\\B"', 'Ben']);
      expect(Number(chapters[1]?.start_time)).toBeGreaterThan(3);
      expect(bytes.includes('CHAPTER001NAME=Ben')).toBe(true);

      const opus = await decoder();
      const samples = Float32Array.from(
        [opus.decode(bytes), opus.flush()].flatMap(({ channelData }) => [...(channelData[0] ?? [])]),
      );
      opus.free();
      const share = (from_ms: number, hertz: number) =>
        shareAt(
          Int16Array.from(samples.subarray(from_ms * 48, (from_ms + 500) * 48), (sample) => sample * 30_000),
          48_000,
          hertz,
        );
      expect(Math.abs(samples.length / 48 - duration_ms)).toBeLessThan(500);
      expect([share(2_500, 440) > 0.8, share(2_500, 880) < 0.05]).toEqual([true, true]);
      expect([share(6_500, 880) > 0.8, share(6_500, 440) < 0.05]).toEqual([true, true]);
    }

    // No file is left behind when a track cannot be read.
    const broken = join(folder, 'broken.ogg');
    const unreadable = { ...mixture, tracks: [{ path: join(folder, 'absent.ogg'), starts_ms: 0 }], into: broken };
    expect(await transcoder.mix(unreadable)).toBeUndefined();
    expect(existsSync(broken)).toBe(false);
  });
});
