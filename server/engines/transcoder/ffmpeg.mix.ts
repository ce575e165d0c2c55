/** Mixes audio tracks into one file with ffmpeg. */
import { mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MixInput } from '../ports.ts';
import { runInShell, type FfmpegOptions, type Output } from './ffmpeg.child.ts';

/** Time limit for starting, and for each second of a track: decoding takes a hundredth of that on an idle core. */
const start_ms = 60_000;
const ms_per_track_second = 200;
/** The address space for each track. */
const memory_kib_per_track = 20_000;
/** The priority of work for which no user waits. */
const niceness = 10;
/** The maximum bitrate of the mix; a larger file means an error. */
const bit_rate = 64_000;

/** Escapes a value of ffmpeg's metadata format (ffmpeg-formats, "Metadata"). */
const escapeValue = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[=;#\\]/g, '\\$&');

/** Chapters in ffmpeg's metadata format, each until the next one. */
export function writeChapters({ chapters, duration_ms }: Pick<MixInput, 'chapters' | 'duration_ms'>): string {
  const parts = chapters.map(({ from_ms, title }, index) => {
    const to_ms = chapters[index + 1]?.from_ms ?? duration_ms;
    return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${from_ms}\nEND=${Math.max(from_ms, to_ms)}\ntitle=${escapeValue(title)}\n`;
  });
  return [';FFMETADATA1\n', ...parts].join('');
}

/** The audio inputs of an ffmpeg command. */
export interface AudioInputs {
  /** One input for each track, decoded by libopus, which conceals the gaps that the tracks mark. */
  inputs: string[];
  /** A filter graph that ends in `[mix]`. @param first the index of the first input */
  graph(first: number): string;
  /** The time limit, in ms, and the address space, in KiB. */
  timeout_ms: number;
  memory_kib: number;
}

/** The inputs and the filter graph that mix audio tracks at their times. */
export function mixAudio({ tracks, duration_ms }: Pick<MixInput, 'tracks' | 'duration_ms'>): AudioInputs {
  return {
    inputs: tracks.flatMap(({ path }) => ['-c:a', 'libopus', '-f', 'ogg', '-i', `file:${path}`]),
    graph(first) {
      const delayed = tracks.map(
        ({ starts_ms }, index) => `[${first + index}:a]adelay=delays=${starts_ms}:all=1[d${index}]`,
      );
      const all = tracks.map((_, index) => `[d${index}]`).join('');
      const mixed = `${all}amix=inputs=${tracks.length}:duration=longest:dropout_transition=0:normalize=0`;
      // Without `level=0` the limiter amplifies its output to full scale.
      return [...delayed, `${mixed},alimiter=limit=0.95:level=0[mix]`].join(';');
    },
    timeout_ms: start_ms + (tracks.length * duration_ms * ms_per_track_second) / 1000,
    memory_kib: tracks.length * memory_kib_per_track,
  };
}

/** The limits of one run of ffmpeg. */
export type Bounds = {
  timeout_ms: number;
  /** In addition to the memory of every run. */
  memory_kib: number;
  /** For each file that it writes. */
  file_bytes: number;
};

/** Runs ffmpeg at low priority, within limits. @returns whether it succeeded */
export async function runBounded(
  options: FfmpegOptions,
  cwd: string,
  args: string[],
  { timeout_ms, memory_kib, file_bytes }: Bounds,
  output: Output | { file: number },
): Promise<boolean> {
  const bounds = [
    `ulimit -t ${Math.ceil(timeout_ms / 1000)}`,
    `ulimit -v ${(options.memory_kib ?? 2_000_000) + Math.ceil(memory_kib)} 2>/dev/null`,
    // In blocks of 512 bytes (POSIX, ulimit).
    `ulimit -f ${Math.ceil(file_bytes / 512)}`,
    // Its files are readable by this account only.
    'umask 077',
    `exec nice -n ${niceness} "$0" "$@"`,
  ].join('; ');
  const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'warning', '-nostats', '-threads', '1'];
  const { code, log } = await runInShell(cwd, ['-c', bounds, options.program, ...quiet, ...args], timeout_ms, output);
  options.onLog?.(log);
  return code === 0;
}

/** Mixes tracks; undefined when ffmpeg fails because of a track. */
export async function mixTracks(
  options: FfmpegOptions,
  mixture: MixInput,
): Promise<{ size_bytes: number } | undefined> {
  const { tracks, duration_ms, into } = mixture;
  if (tracks.length === 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'asterism-mix-'));
  const unfinished = `${into}.new`;
  try {
    await writeFile(join(folder, 'chapters'), writeChapters(mixture), { mode: 0o600 });
    const output = await open(unfinished, 'w', 0o600);
    const { inputs, graph, timeout_ms, memory_kib } = mixAudio(mixture);
    const source = ['-protocol_whitelist', 'file', ...inputs, '-f', 'ffmetadata', '-i', 'file:chapters'];
    const filters = ['-filter_complex_threads', '1', '-filter_complex', graph(0)];
    const about = ['-map', '[mix]', '-map_chapters', String(tracks.length)];
    const encoding = ['-c:a', 'libopus', '-b:a', String(bit_rate), '-ac', '2', '-threads', '1', '-f', 'ogg', 'pipe:1'];
    const args = [...source, ...filters, ...about, ...encoding];
    const bounds = { timeout_ms, memory_kib, file_bytes: ((duration_ms / 1000) * bit_rate * 2) / 8 + 1024 * 1024 };
    const done = await runBounded(options, folder, args, bounds, { file: output.fd }).finally(() => output.close());
    if (!done) return undefined;
    await rename(unfinished, into);
    return { size_bytes: (await stat(into)).size };
  } finally {
    await rm(unfinished, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}
