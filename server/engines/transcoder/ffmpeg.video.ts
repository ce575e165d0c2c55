/** Composes cameras, screens and audio into one video with ffmpeg: scene by scene, then all with the audio. */
import { mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VideoComposition, Scene, Tile } from '../ports.ts';
import { mixAudio, runBounded, writeChapters, type Bounds } from './ffmpeg.mix.ts';
import type { FfmpegOptions } from './ffmpeg.child.ts';

/** Time limit for starting, and for each second of a scene: an idle core takes a third of a second for it. */
const start_ms = 60_000;
const ms_per_second = 4_000;
/** Seeking reads a file from its beginning, at a hundred times its playback speed. */
const ms_per_second_before = 50;
/** The address space for each tile. */
const memory_kib_per_tile = 40_000;
/** The maximum bitrates of video and audio. */
const video_bit_rate = 1_500_000;
const audio_bit_rate = 96_000;
/** The key frame interval, in seconds. */
const key_s = 5;
const poster_bytes = 16 * 1024 * 1024;
/** The maximum output of a test whether a file can be decoded. */
const picture_bytes = 32 * 1024 * 1024;
const mebibyte = 1024 * 1024;

const seconds = (ms: number) => String(ms / 1000);

/** Reads a tile's file from the key frame before the scene; frames before the scene have negative times. */
function readTile({ from_ms }: Scene, { path, starts_ms }: Tile): string[] {
  const into_ms = from_ms - starts_ms;
  return [...(into_ms > 0 ? ['-noaccurate_seek', '-ss', seconds(into_ms)] : []), '-f', 'ivf', '-i', `file:${path}`];
}

/**
 * The command that encodes one scene, as H.264 in Matroska: plays in every browser, and Debian's ffmpeg can encode it.
 */
function sceneCommand({
  scene,
  width,
  height,
  frame_ms,
}: Pick<VideoComposition, 'width' | 'height' | 'frame_ms'> & { scene: Scene }): string[] {
  const { from_ms, to_ms, tiles } = scene;
  const rate = 1000 / frame_ms;
  const inputs = tiles.flatMap((tile) => readTile(scene, tile));
  const graph = [`color=c=black:s=${width}x${height}:r=${rate}:d=${seconds(to_ms - from_ms)},format=yuv420p[s0]`];
  for (const [index, tile] of tiles.entries()) {
    const later_ms = Math.max(0, tile.starts_ms - from_ms);
    // The first visible frame is the last one before the scene, or the first one if there is none before.
    const timed = `setpts=PTS+${seconds(later_ms)}/TB,fps=${rate}:start_time=0`;
    const sized = `scale=${tile.width}:${tile.height}:force_original_aspect_ratio=decrease:force_divisible_by=2,setsar=1`;
    const offset = `x=${tile.x}+(${tile.width}-w)/2:y=${tile.y}+(${tile.height}-h)/2`;
    graph.push(`[${index}:v]${timed},${sized}[p${index}]`, `[s${index}][p${index}]overlay=${offset}[s${index + 1}]`);
  }
  const frames = Math.round((to_ms - from_ms) / frame_ms);
  const bounded = ['-maxrate', String(video_bit_rate), '-bufsize', String(2 * video_bit_rate)];
  const quality = ['-preset', 'veryfast', '-crf', '26', ...bounded, '-bf', '0', '-g', String(key_s * rate)];
  // Without inputs the list would apply to the output, which is a pipe.
  const sources = tiles.length > 0 ? ['-protocol_whitelist', 'file', ...inputs] : [];
  const filters = ['-filter_complex_threads', '1', '-filter_complex', graph.join(';'), '-map', `[s${tiles.length}]`];
  const encoding = ['-frames:v', String(frames), '-c:v', 'libx264', ...quality, '-threads', '1'];
  // Undecodable frames are skipped, the rest is shown.
  return ['-max_error_rate', '1', ...sources, ...filters, ...encoding, '-f', 'matroska', 'pipe:1'];
}

function sceneBounds({ from_ms, to_ms, tiles }: Scene): Bounds {
  const scene_s = (to_ms - from_ms) / 1000;
  const before_s = tiles.reduce((sum, { starts_ms }) => sum + Math.max(0, from_ms - starts_ms) / 1000, 0);
  return {
    timeout_ms: start_ms + scene_s * ms_per_second + before_s * ms_per_second_before,
    memory_kib: tiles.length * memory_kib_per_tile,
    file_bytes: (scene_s * video_bit_rate * 2) / 8 + 4 * mebibyte,
  };
}

/**
 * The command that concatenates the scenes without re-encoding, with the audio; playback can start before the download
 * ends.
 */
function joinCommand(composition: VideoComposition): string[] {
  const { tracks } = composition;
  const { inputs, graph } = mixAudio(composition);
  const scenes = ['-protocol_whitelist', 'file', '-f', 'concat', '-safe', '0', '-i', 'file:scenes'];
  const about = ['-f', 'ffmetadata', '-i', 'file:chapters', ...inputs, '-map', '0:v', '-map_chapters', '1'];
  const mixed = ['-filter_complex_threads', '1', '-filter_complex', graph(2), '-map', '[mix]'];
  const encoded = ['-c:a', 'aac', '-b:a', String(audio_bit_rate), '-ac', '2', '-ar', '48000'];
  const audio = tracks.length > 0 ? [...mixed, ...encoded] : [];
  // Audio may end a packet later than video.
  const ending = ['-t', seconds(composition.duration_ms), '-threads', '1', '-movflags', '+faststart'];
  return [...scenes, ...about, '-c:v', 'copy', ...audio, ...ending, '-f', 'mp4', 'file:video.mp4'];
}

/** The tiles of a scene whose files contain a decodable frame. */
async function findReadable(options: FfmpegOptions, folder: string, scene: Scene): Promise<Tile[]> {
  const readable: Tile[] = [];
  for (const tile of scene.tiles) {
    const alone = { ...scene, tiles: [tile] };
    const args = [
      '-protocol_whitelist',
      'file',
      ...readTile(alone, tile),
      '-frames:v',
      '1',
      '-f',
      'rawvideo',
      'pipe:1',
    ];
    const first = { bytes: 0 };
    const output = { max_bytes: picture_bytes, read: (piece: Buffer) => void (first.bytes += piece.length) };
    const bounds = { ...sceneBounds(alone), file_bytes: 0 };
    if ((await runBounded(options, folder, args, bounds, output)) && first.bytes > 0) readable.push(tile);
  }
  return readable;
}

/** Encodes each scene into a separate file. @returns whether all exist, and at least one shows something */
async function encodeScenes(options: FfmpegOptions, folder: string, composition: VideoComposition): Promise<boolean> {
  const list: string[] = [];
  let seen = 0;
  for (const [index, scene] of composition.scenes.entries()) {
    const name = `${index}.mkv`;
    const encode = async (tiles: Tile[]): Promise<boolean> => {
      seen += tiles.length;
      const file = await open(join(folder, name), 'w', 0o600);
      const command = sceneCommand({ ...composition, scene: { ...scene, tiles } });
      return runBounded(options, folder, command, sceneBounds(scene), { file: file.fd }).finally(() => file.close());
    };
    if (!(await encode(scene.tiles))) {
      // Undecodable video of one participant must not prevent the video of the others.
      seen -= scene.tiles.length;
      const readable = await findReadable(options, folder, scene);
      if (readable.length === scene.tiles.length || !(await encode(readable))) return false;
    }
    list.push(`file '${name}'\nduration ${seconds(scene.to_ms - scene.from_ms)}\n`);
  }
  await writeFile(join(folder, 'scenes'), `ffconcat version 1.0\n${list.join('')}`, { mode: 0o600 });
  return seen > 0;
}

/** A poster from the scene with the most tiles. */
async function drawPoster(
  options: FfmpegOptions,
  folder: string,
  { scenes }: VideoComposition,
): Promise<Uint8Array | undefined> {
  const fullest = scenes.toSorted((a, b) => b.tiles.length - a.tiles.length)[0];
  if (!fullest) return undefined;
  const at_ms = fullest.from_ms + Math.min(2_000, (fullest.to_ms - fullest.from_ms) / 2);
  const pieces: Buffer[] = [];
  const source = ['-protocol_whitelist', 'file', '-ss', seconds(at_ms), '-f', 'mov', '-i', 'file:video.mp4'];
  const args = ['-an', '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe', '-threads', '1', 'pipe:1'];
  const bounds = { timeout_ms: start_ms, memory_kib: 0, file_bytes: 0 };
  const output = { max_bytes: poster_bytes, read: (piece: Buffer) => void pieces.push(piece) };
  const drawn = await runBounded(options, folder, [...source, ...args], bounds, output);
  return drawn && pieces.length > 0 ? Buffer.concat(pieces) : undefined;
}

/** Composes a video; undefined when ffmpeg fails because of the input, or lacks an encoder. */
export async function composeVideo(
  options: FfmpegOptions,
  composition: VideoComposition,
): Promise<{ size_bytes: number; poster: Uint8Array } | undefined> {
  // Next to the output, where there is enough space: the folder of temporary files may be in memory.
  const folder = await mkdtemp(join(dirname(composition.into), 'video-'));
  try {
    if (composition.scenes.length === 0 || !(await encodeScenes(options, folder, composition))) return undefined;
    await writeFile(join(folder, 'chapters'), writeChapters(composition), { mode: 0o600 });
    const { timeout_ms, memory_kib } = mixAudio(composition);
    const bits = video_bit_rate + audio_bit_rate;
    const file_bytes = ((composition.duration_ms / 1000) * bits * 2) / 8 + 4 * mebibyte;
    const nothing = { max_bytes: 0, read: () => undefined };
    if (!(await runBounded(options, folder, joinCommand(composition), { timeout_ms, memory_kib, file_bytes }, nothing)))
      return undefined;
    const poster = await drawPoster(options, folder, composition);
    if (!poster) return undefined;
    await rename(join(folder, 'video.mp4'), composition.into);
    return { size_bytes: (await stat(composition.into)).size, poster };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
