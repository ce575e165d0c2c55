/**
 * Audio and video by ffmpeg, in a child process with limits of time, memory and output. It reads one temporary file
 * with one demuxer, chosen by the service, so that a playlist cannot name other files or hosts.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VideoFacts, Transcoder } from '../ports.ts';
import { runInShell, type FfmpegOptions, type Output } from './ffmpeg.child.ts';
import { composeVideo } from './ffmpeg.video.ts';
import { mixTracks } from './ffmpeg.mix.ts';

/** ffmpeg's demuxers by the types that the service distinguishes. */
const demuxers: Record<string, string> = {
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mp4': 'mov',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'matroska',
  'video/mp4': 'mov',
  'video/ogg': 'ogg',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/x-matroska': 'matroska',
};

const poster_px = 1280;
const poster_bytes = 16 * 1024 * 1024;
/** Twelve hours of samples at 8 kHz: more than an upload can contain. */
const sample_bytes = 12 * 3600 * 8000 * 4;

/** Opens ffmpeg. Each call takes at most `timeout_ms` (20 s) and never throws because of the input. */
export function createFfmpegTranscoder(options: FfmpegOptions): Transcoder {
  return {
    makes_video: true,
    async watch(bytes, content_type) {
      const pieces: Buffer[] = [];
      const scale = `scale='min(${poster_px},iw)':-2`;
      const args = ['-an', '-sn', '-dn', '-vf', `thumbnail=25,${scale}`, '-frames:v', '1'];
      const log = await run(options, bytes, content_type, [...args, '-c:v', 'png', '-f', 'image2pipe'], {
        max_bytes: poster_bytes,
        read: (piece) => pieces.push(piece),
      });
      const poster = Buffer.concat(pieces);
      return log === undefined || poster.length === 0 ? undefined : readFacts(log, poster);
    },
    async listen(bytes, content_type, onSamples, sample_rate = 8000) {
      const args = ['-vn', '-sn', '-dn', '-ac', '1', '-ar', String(sample_rate), '-c:a', 'pcm_f32le', '-f', 'f32le'];
      let rest = Buffer.alloc(0);
      const log = await run(options, bytes, content_type, args, {
        max_bytes: sample_bytes,
        read(piece) {
          const all = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
          const whole = all.length - (all.length % 4);
          const samples = new Float32Array(whole / 4);
          for (let at = 0; at < samples.length; at++) samples[at] = all.readFloatLE(at * 4);
          rest = Buffer.from(all.subarray(whole));
          onSamples(samples, sample_rate);
        },
      });
      return log !== undefined;
    },
    mix: (mixture) => mixTracks(options, mixture),
    composeVideo: (composition) => composeVideo(options, composition),
  };
}

/** Width and height are in a PNG's first chunk; rotation and duration in ffmpeg's output. */
function readFacts(log: string, poster: Buffer): VideoFacts {
  const shown = { width: poster.readUInt32BE(16), height: poster.readUInt32BE(20) };
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d\d):(\d\d\.\d+)/.exec(log) ?? [];
  const duration_s = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const [, width = 0, height = 0] = (/Video: .*? (\d{1,5})x(\d{1,5})[ ,]/.exec(log) ?? []).map(Number);
  // A video that is rotated for playback is rotated in its poster.
  const turned = width > height !== shown.width > shown.height && width !== height;
  const size = width === 0 ? shown : turned ? { width: height, height: width } : { width, height };
  return { poster, ...size, ...(duration_s > 0 ? { duration_s } : {}) };
}

/** Runs ffmpeg on a temporary file; its output, or undefined when it failed or exceeded a limit. */
async function run(
  { program, timeout_ms = 20_000, memory_kib = 2_000_000, onLog }: FfmpegOptions,
  bytes: Uint8Array,
  content_type: string,
  args: string[],
  output: Output,
): Promise<string | undefined> {
  const demuxer = demuxers[content_type];
  if (!demuxer) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'asterism-media-'));
  try {
    await writeFile(join(folder, 'in'), bytes, { mode: 0o600 });
    const cpu_s = Math.ceil(timeout_ms / 1000);
    // Not every system limits the address space; the time limit holds everywhere.
    const bounds = `ulimit -t ${cpu_s}; ulimit -v ${memory_kib} 2>/dev/null; ulimit -f 0; exec "$0" "$@"`;
    const source = ['-protocol_whitelist', 'file', '-f', demuxer, '-i', 'file:in'];
    const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'info', '-nostats', '-threads', '1'];
    const ending = ['-threads', '1', 'pipe:1'];
    const command = ['-c', bounds, program, ...quiet, ...source, ...args, ...ending];
    const { code, log } = await runInShell(folder, command, timeout_ms, output);
    onLog?.(log);
    return code === 0 ? log : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
