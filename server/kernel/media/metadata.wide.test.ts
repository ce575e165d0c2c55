/** Metadata is removed from files of ffmpeg, and nothing else: all audio and video packets are unchanged. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { stripMetadata } from './metadata.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const program = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'ffmpeg'))
  .find((path) => existsSync(path));

describeUnlessMissing(program ? undefined : 'ffmpeg', 'metadata in files of ffmpeg', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asterism-metadata-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...encoding_arguments: string[]) =>
    execFileSync(program ?? '', ['-v', 'error', '-y', ...encoding_arguments], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    });
  const audio_source = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
  const video = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=10:duration=1', ...audio_source, '-pix_fmt', 'yuv420p'];
  const secrets = ['Kept secret', 'Nobody Anybody', '+48.8577+002.295/'];
  const tags = [
    'title=Kept secret',
    'artist=Nobody Anybody',
    'location=+48.8577+002.295/',
    'comment=Kept secret',
  ].flatMap((tag) => ['-metadata', tag]);
  /** Checksums of each packet, encoded or decoded. Codec headers are left out, since they contain comments too. */
  const sumOf = (name: string, ...how: string[]) =>
    String(run('-i', name, '-map', '0:v?', '-map', '0:a?', ...how, '-f', 'framemd5', '-'))
      .replaceAll(/^#extradata.*\n/gm, '')
      .replaceAll(/, S=.*$/gm, '');
  const sumsOf = (name: string) => [sumOf(name, '-c', 'copy'), sumOf(name)];
  const metadataOf = (name: string) => String(run('-i', name, '-f', 'ffmetadata', '-'));

  it.each([
    ['a.mp3', 'audio/mpeg', [...audio_source, '-id3v2_version', '4', '-write_id3v1', '1']],
    ['ape.mp3', 'audio/mpeg', [...audio_source, '-write_apetag', '1']],
    ['a.aac', 'audio/aac', [...audio_source, '-write_id3v2', '1']],
    ['a.flac', 'audio/flac', audio_source],
    ['a.wav', 'audio/wav', [...audio_source, '-write_bext', '1']],
    ['a.ogg', 'audio/ogg', [...audio_source, '-c:a', 'libvorbis']],
    ['a.opus', 'audio/ogg', [...audio_source, '-c:a', 'libopus']],
    ['b.ogg', 'audio/ogg', [...audio_source, '-c:a', 'flac']],
    ['video.ogv', 'video/ogg', [...video, '-c:v', 'libtheora', '-c:a', 'libvorbis']],
    ['a.m4a', 'audio/mp4', [...audio_source, '-c:a', 'aac']],
    ['video.mp4', 'video/mp4', [...video, '-c:a', 'aac']],
    ['fast.mp4', 'video/mp4', [...video, '-c:a', 'aac', '-movflags', '+faststart']],
    ['keys.mp4', 'video/mp4', [...video, '-c:a', 'aac', '-movflags', 'use_metadata_tags']],
    ['pieces.mp4', 'video/mp4', [...video, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov']],
    ['video.mov', 'video/quicktime', [...video, '-c:a', 'aac', '-timecode', '01:02:03:04']],
    ['video.webm', 'video/webm', [...video, '-c:v', 'libvpx', '-c:a', 'libopus']],
    ['live.webm', 'video/webm', [...video, '-c:v', 'libvpx', '-c:a', 'libopus', '-live', '1']],
    [
      'video.mkv',
      'video/x-matroska',
      [...video, '-c:v', 'libvpx', '-c:a', 'libopus', '-attach', 'note.txt', '-metadata:s:2', 'mimetype=text/plain'],
    ],
  ])('is removed from %s', (name, content_type, encoding_arguments) => {
    writeFileSync(join(folder, 'note.txt'), 'Kept secret');
    run(...encoding_arguments, ...tags, '-metadata:s:a:0', 'title=Kept secret', name);
    const before = readFileSync(join(folder, name));
    expect(before.includes('Kept secret')).toBe(true);
    const after = stripMetadata(before, content_type);
    writeFileSync(join(folder, `bare-${name}`), after);
    for (const secret of secrets) expect(after.includes(secret)).toBe(false);
    expect(metadataOf(`bare-${name}`)).not.toMatch(/secret|Nobody|48\.8577|creation|date/i);
    expect(sumsOf(`bare-${name}`)).toEqual(sumsOf(name));
    // A file without metadata is unchanged.
    expect(stripMetadata(after, content_type).equals(after)).toBe(true);
  });
});
