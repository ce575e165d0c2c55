/** Media uploads: decoded in a decoder process, or in ffmpeg where only that can decode them. */
import type { Transcoder } from '../../engines/ports.ts';
import type { Decode } from './decoder.ts';
import type { Encoded, Pictures, PictureSize } from './picture.ts';
import { createWaveformMeter, type WaveformMeter } from './waveform.ts';

/** How a file is presented; `other` is only offered for download. */
export type MediaKind = 'image' | 'audio' | 'video' | 'other';

/** An upload as it will be stored. */
export type Examined = {
  kind: MediaKind;
  /** The content type that it is served as. */
  content_type: string;
  bytes: Uint8Array;
  pictures: Partial<Record<PictureSize | 'poster', Encoded>>;
  width?: number;
  height?: number;
  duration_s?: number;
  waveform?: number[];
  blurhash?: string;
};

/** An examined upload as a decoder process returns it: without bytes when they are unchanged. */
export type InspectedUpload = Omit<Examined, 'bytes'> & { bytes?: Uint8Array };

/** The input of a decoder process: what it does with the bytes of an upload. */
export type MediaTask = { act: 'examine' | 'pictures' | 'avatar'; bytes: Uint8Array };

const script = new URL('media.task.ts', import.meta.url);

/** A square avatar picture and its hash. @throws ApiError `validation_failed` with `file` */
export const decodeAvatar = (decode: Decode, bytes: Uint8Array): Promise<{ bytes: Buffer; hash: string }> =>
  decode(script, { act: 'avatar', bytes } satisfies MediaTask);

/** A picture in all sizes. @throws ApiError `validation_failed` with `file` */
export const decodePictures = (decode: Decode, bytes: Uint8Array): Promise<Pictures> =>
  decode(script, { act: 'pictures', bytes } satisfies MediaTask);

/**
 * Reads an upload. Pictures are re-encoded; playable audio and video are stored without their metadata; anything else
 * is stored unchanged, as `other`.
 * @throws ApiError `validation_failed` with `file` for a picture that cannot be read or is too large, for audio or
 *   video whose metadata cannot be separated, and for input that takes too much time or memory
 */
export async function examine(bytes: Buffer, decode: Decode, transcoder: Transcoder): Promise<Examined> {
  const looked = await decode<InspectedUpload>(script, { act: 'examine', bytes } satisfies MediaTask);
  const examined = { ...looked, bytes: looked.bytes ?? bytes };
  if (examined.kind === 'video') return addPoster(examined, bytes, decode, transcoder);
  if (examined.kind !== 'audio') return examined;
  const audio = examined.waveform ? undefined : await readWaveform(bytes, examined.content_type, transcoder);
  return roundDuration({ ...examined, ...audio });
}

/** Duration and waveform of audio that only the transcoder can decode. */
async function readWaveform(
  bytes: Buffer,
  content_type: string,
  transcoder: Transcoder,
): Promise<{ duration_s: number; waveform: number[] } | undefined> {
  let meter: WaveformMeter | undefined;
  const whole = await transcoder.listen(bytes, content_type, (samples, sample_rate) => {
    meter ??= createWaveformMeter(sample_rate);
    meter.add([samples]);
  });
  return whole ? meter?.result() : undefined;
}

/**
 * What the transcoder finds in a video: a poster from near its beginning, its dimensions, and its duration if unknown.
 */
async function addPoster(video: Examined, bytes: Buffer, decode: Decode, transcoder: Transcoder): Promise<Examined> {
  const facts = await transcoder.watch(bytes, video.content_type);
  const duration_s = video.duration_s ?? facts?.duration_s;
  const timed = roundDuration({ ...video, ...(duration_s === undefined ? {} : { duration_s }) });
  if (!facts) return timed;
  const { sizes, blurhash } = await decodePictures(decode, facts.poster);
  return { ...timed, width: facts.width, height: facts.height, blurhash, pictures: { poster: sizes.large } };
}

/** The duration in seconds, to the millisecond. */
function roundDuration(media: Examined): Examined {
  const { duration_s } = media;
  return duration_s === undefined ? media : { ...media, duration_s: Math.round(duration_s * 1000) / 1000 };
}
