/** Mixes Ogg Opus tracks with libopus, 20 ms at a time, so that duration costs no memory. */
import { Application, createEncoder } from 'libopus-wasm';
import { OggOpusWriter } from '../opus/ogg.ts';
import { Limiter, LIMITER_DELAY } from './limiter.ts';
import { TrackDecoder } from './track-decoder.ts';

const BIT_RATE = 64_000;
/** The maximum output level, of 1. */
const CEILING = 0.95;
const FRAME_SAMPLES = 960;
/** The frames after which it yields: a second of audio. */
const FRAMES_A_TURN = 50;
/** A track may exceed the recording by its sender's clock drift; the rest is cut off. */
const OVERLONG_MS = 5_000;

/** The input of a mix. */
export type MixInput = {
  /** Ogg Opus files, and when each starts. */
  tracks: { path: string; starts_ms: number }[];
  /** In order of time. */
  chapters: { from_ms: number; title: string }[];
  duration_ms: number;
};

function formatTime(ms: number): string {
  const [minutes, seconds] = [Math.floor(ms / 60_000), (ms % 60_000) / 1000];
  const two = (count: number) => String(count).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${seconds.toFixed(3).padStart(6, '0')}`;
}

/** Chapters as comments that players read: `CHAPTER000`, with its time, and `CHAPTER000NAME`. */
const commentsOf = (chapters: MixInput['chapters']): string[] =>
  chapters.flatMap(({ from_ms, title }, index) => {
    const name = `CHAPTER${String(index).padStart(3, '0')}`;
    return [`${name}=${formatTime(from_ms)}`, `${name}NAME=${title.replaceAll(/[\r\n]+/g, ' ')}`];
  });

/**
 * Mixes tracks at their times and levels to stereo Opus at 64 kbit/s, limited where they are too loud together.
 * @param write gets each page
 * @param turn is awaited after each second of audio
 * @throws Error when a file cannot be read or is not Ogg Opus
 */
export async function mixTracks(
  { tracks, chapters, duration_ms }: MixInput,
  write: (page: Buffer) => void,
  turn: () => Promise<void>,
): Promise<void> {
  const encoder = await createEncoder({ application: Application.Audio, bitrate: BIT_RATE, complexity: 10 });
  const pre_skip = encoder.getLookahead() + LIMITER_DELAY;
  const writer = new OggOpusWriter(1, write, { pre_skip, comments: commentsOf(chapters) });
  const limiter = new Limiter(CEILING);
  const mixture = new Float32Array(2 * FRAME_SAMPLES);
  const max_samples = (duration_ms + OVERLONG_MS) * 48;
  let sounds = tracks.map(({ path, starts_ms }) => new TrackDecoder(path, starts_ms));
  let [encoded, end_samples] = [0, 0];
  for (let frame = 1; sounds.length > 0 || encoded < end_samples + pre_skip; frame++) {
    mixture.fill(0);
    for (const sound of sounds) {
      await sound.addTo(mixture, encoded);
      if (encoded + FRAME_SAMPLES >= max_samples) sound.end();
      if (sound.has_ended) end_samples = Math.max(end_samples, Math.min(sound.ends_at, max_samples));
    }
    sounds = sounds.filter(({ has_ended }) => !has_ended);
    limiter.process(mixture);
    writer.add(Buffer.from(encoder.encodeFloat(mixture)), FRAME_SAMPLES);
    encoded += FRAME_SAMPLES;
    if (frame % FRAMES_A_TURN === 0) await turn();
  }
  writer.end(encoded - end_samples - pre_skip);
  encoder.free();
}
