import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ffmpeg, isColour, probe, readColours, type Colour } from '../../../sfu/testing/colours.ts';
import { encodeFrameHeader, encodeIvfHeader } from '../../../sfu/clients/recorder/ivf.ts';
import { shareAt } from '../../../sfu/testing/tones.ts';
import { makeKeyFrame } from '../../../sfu/testing/vp8-packets.ts';
import { video_frame_ms, video_height, video_width, findScenes } from '../../kernel/media/scenes.ts';
import type { RecordedVideo } from '../ports.ts';
import { createFfmpegTranscoder } from './ffmpeg.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const red: Colour = [220, 0, 0];
const yellow: Colour = [220, 220, 0];
const blue: Colour = [0, 0, 220];
const black: Colour = [0, 0, 0];
const hex = (colour: Colour) => `0x${Buffer.from(colour).toString('hex')}`;

/** Where ffmpeg is installed. */
describeUnlessMissing(ffmpeg ? undefined : 'ffmpeg', 'composition of recorded videos with ffmpeg', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-video-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = (...arguments_list: string[]) => execFileSync(ffmpeg ?? '', ['-v', 'error', '-y', ...arguments_list]);

  /** Writes a camera track with one colour after the other, each for some seconds, as a browser encodes it. */
  function writeCameraTrack(
    track_id: string,
    starts_ms: number,
    colours: [Colour, number][],
    size = '640x360',
  ): RecordedVideo {
    const path = join(folder, `${track_id}-${starts_ms}.ivf`);
    const parts = colours.flatMap(([colour, seconds]) => [
      '-f',
      'lavfi',
      '-i',
      `color=${hex(colour)}:s=${size}:d=${seconds}:r=30`,
    ]);
    const joined = `${colours.map((_, index) => `[${index}:v]`).join('')}concat=n=${colours.length}`;
    run(...parts, '-filter_complex', joined, '-c:v', 'libvpx', '-g', '45', '-auto-alt-ref', '0', '-b:v', '500k', path);
    const [width = 0, height = 0] = size.split('x').map(Number);
    const duration_ms = colours.reduce((sum, [, seconds]) => sum + seconds * 1000, 0);
    const about = { identity: track_id, name: track_id, track_id, source: 'camera', size_bytes: 1 };
    return { path, starts_ms, duration_ms, width, height, ...about };
  }
  function writeTone(name: string, hertz: number, seconds: number): string {
    const path = join(folder, `${name}.ogg`);
    run('-f', 'lavfi', '-i', `sine=f=${hertz}:d=${seconds}:r=48000`, '-c:a', 'libopus', path);
    return path;
  }
  const compositionOf = (name: string, videos: RecordedVideo[], duration_ms: number) => ({
    tracks: [] as { path: string; starts_ms: number }[],
    chapters: [] as { from_ms: number; title: string }[],
    duration_ms,
    into: join(folder, name),
    scenes: findScenes(videos, duration_ms),
    width: video_width,
    height: video_height,
    frame_ms: video_frame_ms,
  });
  const at = (video: string, seconds: number, ...points: [number, number][]) =>
    readColours(video, seconds, points, video_width);
  const left: [number, number] = [video_width / 4, video_height / 2];
  const right: [number, number] = [(video_width * 3) / 4, video_height / 2];

  it('shows each participant in a tile at the right time, with audio and chapters', async () => {
    const log = { text: '' };
    const transcoder = createFfmpegTranscoder({ program: ffmpeg ?? '', onLog: (text) => (log.text += text) });
    const ann = writeCameraTrack('ann', 1_000, [
      [red, 3],
      [yellow, 3],
    ]);
    const videos = [ann, writeCameraTrack('ben', 3_000, [[blue, 2]], '360x640')];
    const video = compositionOf('two.mp4', videos, 7_500);
    video.tracks = [
      { path: writeTone('low', 440, 2), starts_ms: 500 },
      { path: writeTone('high', 990, 2), starts_ms: 4_000 },
    ];
    video.chapters = [
      { from_ms: 0, title: 'Ann = #1' },
      { from_ms: 4_000, title: 'Ben' },
    ];
    const result = await transcoder.composeVideo(video);
    expect(result?.size_bytes ?? log.text).toBeGreaterThan(1_000);
    expect([...(result?.poster.subarray(1, 4) ?? [])]).toEqual([...Buffer.from('PNG')]);
    const { streams, format, chapters } = probe(video.into);
    expect(streams.filter(({ codec_type }) => codec_type !== 'data').map(({ codec_name }) => codec_name)).toEqual([
      'h264',
      'aac',
    ]);
    expect(streams[0]).toMatchObject({ width: 1280, height: 720 });
    expect(Math.abs(Number(format.duration) - 7.5)).toBeLessThan(0.1);
    expect(chapters.map(({ tags, start_time }) => [tags.title, Number(start_time)])).toEqual([
      ['Ann = #1', 0],
      ['Ben', 4],
    ]);
    const expectColours = (seconds: number, expected: Colour[], ...points: [number, number][]) => {
      const colours = at(video.into, seconds, ...points);
      const same = colours.map((colour, index) => isColour(colour, expected[index] ?? black));
      expect(same, `${seconds} s: ${JSON.stringify(colours)}`).toEqual(points.map(() => true));
    };
    expectColours(0.5, [black, black], left, right);
    expectColours(2, [red, red], left, right);
    // A scene that starts in the middle of a file starts at that position of the file.
    expectColours(3.2, [red, blue], left, right);
    expectColours(3.88, [red, blue], left, right);
    expectColours(4.12, [yellow, blue], left, right);
    // A portrait video keeps its aspect ratio.
    expectColours(4.5, [black], [video_width / 2 + 20, video_height / 2]);
    expectColours(5.5, [yellow, yellow], left, right);
    expectColours(7.2, [black, black], left, right);

    const pcm = run('-i', video.into, '-ac', '1', '-ar', '48000', '-f', 's16le', 'pipe:1');
    const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
    const share = (from_s: number, hertz: number) =>
      shareAt(samples.subarray(from_s * 48_000, (from_s + 1) * 48_000), 48_000, hertz);
    expect([share(1, 440) > 0.8, share(1, 990) < 0.05]).toEqual([true, true]);
    expect([share(4.5, 990) > 0.8, share(4.5, 440) < 0.05]).toEqual([true, true]);
  });

  it('has no audio without audio tracks, skips broken tracks, and leaves no file when it fails', async () => {
    const transcoder = createFfmpegTranscoder({ program: ffmpeg ?? '' });
    const silent = compositionOf('silent.mp4', [writeCameraTrack('cleo', 0, [[red, 1]])], 1_000);
    const absent: RecordedVideo = {
      ...writeCameraTrack('dara', 0, [[blue, 1]]),
      path: join(folder, 'absent.ivf'),
    };
    // A frame with the header of a key frame and invalid data.
    const broken_path = join(folder, 'torn.ivf');
    const noise = Buffer.concat([makeKeyFrame(640, 360, 0), Buffer.alloc(400, 0xff)]);
    writeFileSync(broken_path, Buffer.concat([encodeIvfHeader(640, 360), encodeFrameHeader(noise, 0), noise]));
    const broken = { ...absent, track_id: 'emil', path: broken_path };
    const shared = compositionOf('shared.mp4', [writeCameraTrack('ada', 0, [[red, 1]]), broken, absent], 1_000);
    const noise_alone = compositionOf('torn.mp4', [broken], 1_000);
    const [result, missing, noisy, rest] = await Promise.all([
      transcoder.composeVideo(silent),
      transcoder.composeVideo(compositionOf('absent.mp4', [absent], 1_000)),
      transcoder.composeVideo(noise_alone),
      transcoder.composeVideo(shared),
    ]);
    expect(rest?.size_bytes).toBeGreaterThan(500);
    const [expectColours] = at(shared.into, 0.5, [video_width / 4, video_height / 4]);
    expect([isColour(expectColours, red), expectColours]).toEqual([true, expectColours]);
    expect(result?.size_bytes).toBeGreaterThan(500);
    expect(probe(silent.into).streams.map(({ codec_name }) => codec_name)).toEqual(['h264']);
    expect(missing).toBeUndefined();
    expect(noisy?.size_bytes).toBeGreaterThan(500);
    expect(at(noise_alone.into, 0.5, left).every((colour) => isColour(colour, black))).toBe(true);
    expect(existsSync(join(folder, 'absent.mp4'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('video-'))).toEqual([]);
  });
});
