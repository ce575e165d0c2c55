import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDecoder } from '../../kernel/media/decoder.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { examine } from '../../kernel/media/media.ts';
import { createFfmpegTranscoder } from './ffmpeg.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const program =
  process.env['FFMPEG'] ??
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'ffmpeg'))
    .find((path) => existsSync(path));

/** Where ffmpeg is installed. */
describeUnlessMissing(program ? undefined : 'ffmpeg', 'inspection of video and audio with ffmpeg', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-videos-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const encode = (name: string, ...encoding_arguments: string[]) => {
    execFileSync(program ?? '', ['-loglevel', 'error', '-y', ...encoding_arguments, join(folder, name)]);
    return readFileSync(join(folder, name));
  };
  const colours = ['-f', 'lavfi', '-i', 'color=red:s=320x180:d=2:r=10'];
  const tone = ['-f', 'lavfi', '-i', 'aevalsrc=if(lt(t\\,1)\\,0.8\\,0.2)*sin(2*PI*440*t):d=2:s=48000'];
  const decoder = createDecoder(default_limits);
  afterAll(() => decoder.close());
  const inspect = (bytes: Buffer) =>
    decoder.use('somebody', (decode) => examine(bytes, decode, createFfmpegTranscoder({ program: program ?? '' })));

  it.each([
    ['video.mp4', 'video/mp4', ['-pix_fmt', 'yuv420p']],
    ['video.webm', 'video/webm', ['-c:v', 'libvpx']],
    ['video.mkv', 'video/x-matroska', ['-pix_fmt', 'yuv420p']],
    ['video.mov', 'video/quicktime', ['-pix_fmt', 'yuv420p']],
  ])('reads the size, duration and poster of %s', async (name, content_type, encoding_arguments) => {
    const { pictures, ...video } = await inspect(encode(name, ...colours, ...encoding_arguments));
    expect(video).toMatchObject({ kind: 'video', content_type, width: 320, height: 180 });
    expect(video.duration_s).toBeCloseTo(2, 1);
    expect(video.blurhash).toMatch(/^.{20,}$/);
    expect(pictures.poster).toMatchObject({ width: 320, height: 180 });
  });

  it('reports the displayed size of a rotated video', async () => {
    encode('flat.mp4', ...colours, '-pix_fmt', 'yuv420p');
    // Versions differ in whether this tag rotates a video; the poster has the size that a player shows.
    const rotation_arguments = ['-i', join(folder, 'flat.mp4'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90'];
    const { width = 0, height = 0, pictures } = await inspect(encode('turned.mp4', ...rotation_arguments));
    expect([width, height]).toEqual([pictures.poster?.width, pictures.poster?.height]);
  });

  it.each([
    ['sound.m4a', 'audio/mp4', ['-c:a', 'aac']],
    ['sound.ogg', 'audio/ogg', ['-c:a', 'libvorbis']],
    ['sound.webm', 'audio/webm', ['-c:a', 'libopus']],
    ['sound.flac', 'audio/flac', []],
    ['sound.aac', 'audio/aac', []],
  ])('reads the duration and waveform of %s', async (name, content_type, encoding_arguments) => {
    const audio = await inspect(encode(name, ...tone, ...encoding_arguments));
    expect(audio).toMatchObject({ kind: 'audio', content_type });
    expect(audio.duration_s).toBeCloseTo(2, 1);
    // A lossy codec overshoots where the level changes, and the peak is normalised to one.
    expect(audio.waveform?.[20]).toBeGreaterThan(0.75);
    expect(audio.waveform?.[80]).toBeCloseTo(0.25, 1);
  });

  it('opens no other file that an upload references', async () => {
    const list = Buffer.from(`#EXTM3U\n#EXTINF:1,\nfile://${join(folder, 'video.mp4')}\n#EXT-X-ENDLIST\n`);
    const transcoder = createFfmpegTranscoder({ program: program ?? '' });
    for (const content_type of ['video/mp4', 'video/webm'])
      expect(await transcoder.watch(list, content_type)).toBeUndefined();
    expect((await inspect(list)).kind).toBe('other');
  });
});
