/** Many tracks of sound into one file by ffmpeg. */
import { mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mixture } from './ports.ts';
import { follow, type FfmpegOptions } from './transcoder.ffmpeg.ts';

/** Time for a start, and for each second of a track: decoding takes a hundredth of that on an idle core. */
const start_ms = 60_000;
const ms_per_track_second = 200;
/** Of the program's address space, for each track. */
const memory_kib_per_track = 20_000;
/** The mixture is at most this many bits a second; a file that grows beyond has gone wrong. */
const bit_rate = 64_000;

/** A value of ffmpeg's metadata format (ffmpeg-formats, "Metadata"). */
const escapeValue = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[=;#\\]/g, '\\$&');

/** Chapters in ffmpeg's metadata format, each until the next one. */
export function writeChapters({ chapters, duration_ms }: Pick<Mixture, 'chapters' | 'duration_ms'>): string {
  const parts = chapters.map(({ from_ms, title }, index) => {
    const to_ms = chapters[index + 1]?.from_ms ?? duration_ms;
    return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${from_ms}\nEND=${Math.max(from_ms, to_ms)}\ntitle=${escapeValue(title)}\n`;
  });
  return [';FFMETADATA1\n', ...parts].join('');
}

/** Mixes tracks; undefined when ffmpeg cannot, for whatever a track holds. */
export async function mixTracks(options: FfmpegOptions, mixture: Mixture): Promise<{ size_bytes: number } | undefined> {
  const { tracks, duration_ms, into } = mixture;
  if (tracks.length === 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'asterism-mix-'));
  const unfinished = `${into}.new`;
  try {
    await writeFile(join(folder, 'chapters'), writeChapters(mixture), { mode: 0o600 });
    const output = await open(unfinished, 'w', 0o600);
    // Each input is decoded by libopus, which conceals the gaps that the tracks mark.
    const inputs = tracks.flatMap(({ path }) => ['-c:a', 'libopus', '-f', 'ogg', '-i', `file:${path}`]);
    const delayed = tracks.map(({ starts_ms }, index) => `[${index}:a]adelay=delays=${starts_ms}:all=1[d${index}]`);
    const all = tracks.map((_, index) => `[d${index}]`).join('');
    const mixed = `${all}amix=inputs=${tracks.length}:duration=longest:dropout_transition=0:normalize=0,alimiter=limit=0.95[mix]`;
    const timeout_ms = start_ms + (tracks.length * duration_ms * ms_per_track_second) / 1000;
    const bounds = [
      `ulimit -t ${Math.ceil(timeout_ms / 1000)}`,
      `ulimit -v ${(options.memory_kib ?? 2_000_000) + tracks.length * memory_kib_per_track} 2>/dev/null`,
      // In blocks of 512 octets (POSIX, ulimit).
      `ulimit -f ${Math.ceil(((duration_ms / 1000) * bit_rate * 2) / 8 / 512) + 2_048}`,
      'exec nice -n 10 "$0" "$@"',
    ].join('; ');
    const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'warning', '-nostats', '-threads', '1'];
    const filters = ['-filter_complex_threads', '1', '-filter_complex', [...delayed, mixed].join(';')];
    const source = ['-protocol_whitelist', 'file', ...inputs, '-f', 'ffmetadata', '-i', 'file:chapters'];
    const about = ['-map', '[mix]', '-map_chapters', String(tracks.length)];
    const encoding = ['-c:a', 'libopus', '-b:a', String(bit_rate), '-ac', '2', '-threads', '1', '-f', 'ogg', 'pipe:1'];
    const command = ['-c', bounds, options.program, ...quiet, ...source, ...filters, ...about, ...encoding];
    const { code, told } = await follow(folder, command, timeout_ms, { file: output.fd }).finally(() => output.close());
    options.tell?.(told);
    if (code !== 0) return undefined;
    await rename(unfinished, into);
    return { size_bytes: (await stat(into)).size };
  } finally {
    await rm(unfinished, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}
