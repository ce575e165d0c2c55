/** Video in tests: a client of the native SDK sends one colour, and a decoder reads the colours of frames. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import {
  LocalVideoTrack,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoCodec,
  VideoFrame,
  VideoSource,
  type Room,
} from '@livekit/rtc-node';

/** Components from 0 to 255. */
export type Colour = [red: number, green: number, blue: number];

/** As few frames as make a video: each is drawn and encoded by the process of the test. */
const FRAME_MS = 100;

/** A frame in one colour, with a moving grey block in its upper left corner, so that frames differ. */
function drawFrame(width: number, height: number, colour: Colour, tick: number): VideoFrame {
  const pixels = new Uint8Array(width * height * 4);
  const row = Buffer.alloc(width * 4, Buffer.from([...colour, 255]));
  for (let y = 0; y < height; y++) pixels.set(row, y * width * 4);
  const edge = Math.max(4, Math.floor(height / 16));
  for (let y = 0; y < edge; y++)
    pixels.fill(128, (y * width + (tick % edge)) * 4, (y * width + (tick % edge) + edge) * 4);
  return new VideoFrame(pixels, width, height, VideoBufferType.RGBA);
}

/** Publishes a camera or a screen in one colour, until `stop` is called. */
export async function publishColour(
  room: Room,
  colour: Colour,
  {
    width = 640,
    height = 360,
    source = TrackSource.SOURCE_CAMERA,
  }: { width?: number; height?: number; source?: TrackSource } = {},
) {
  const frames = new VideoSource(width, height);
  const track = LocalVideoTrack.createVideoTrack('colour', frames);
  const options = new TrackPublishOptions();
  options.source = source;
  options.videoCodec = VideoCodec.VP8;
  options.simulcast = false;
  let tick = 0;
  const clock = setInterval(() => frames.captureFrame(drawFrame(width, height, colour, tick++)), FRAME_MS);
  const publication = await room.localParticipant?.publishTrack(track, options);
  return {
    track,
    publication,
    async stop() {
      clearInterval(clock);
      await track.close();
    },
  };
}

/** The path of ffmpeg from `FFMPEG` or the `PATH`; undefined when it is not installed. */
export const ffmpeg = [
  process.env['FFMPEG'] ?? '',
  ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'ffmpeg')),
].find((path) => path !== '' && existsSync(path));

/** The colours at points of a video frame, as ffmpeg decodes it. @param at_s in seconds from the start */
export function readColours(video: string, at_s: number, points: [x: number, y: number][], width: number): Colour[] {
  const output = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'];
  const command = ['-v', 'error', '-ss', String(at_s), '-i', video, ...output];
  const pixels = execFileSync(ffmpeg ?? 'ffmpeg', command, { maxBuffer: 64 * 1024 * 1024 });
  return points.map(([x, y]) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)] as Colour);
}

/** Whether a colour equals another one, within the accuracy of encoders. */
export const isColour = (actual: Colour | undefined, expected: Colour): boolean =>
  actual !== undefined && actual.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 40);

/** The output of ffprobe for a video: its streams, its length in seconds and its chapters. */
export function probe(video: string) {
  const command = ['-v', 'error', '-show_streams', '-show_format', '-show_chapters', '-of', 'json', video];
  return JSON.parse(execFileSync(join(dirname(ffmpeg ?? ''), 'ffprobe'), command).toString()) as {
    streams: { codec_name: string; codec_type: string; width?: number; height?: number; nb_frames?: string }[];
    format: { duration: string };
    chapters: { start_time: string; tags: { title: string } }[];
  };
}
