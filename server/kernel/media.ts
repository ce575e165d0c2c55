/** Uploads: told by what they hold, never by their name or by what a client says of them. */
import { fileTypeFromBuffer } from 'file-type';
import type { Transcoder } from '../engines/ports.ts';
import type { Limits } from './limits.ts';
import { stripMetadata } from './metadata.ts';
import { encodePictures, type Encoded, type PictureSize } from './picture.ts';
import { readSound, type Heard } from './sound.ts';
import { createListener, type Listener } from './waveform.ts';

export type MediaKind = 'image' | 'audio' | 'video' | 'other';

/** An upload as it is kept. */
export type Examined = {
  kind: MediaKind;
  /** What it is served as. */
  content_type: string;
  bytes: Uint8Array;
  pictures: Partial<Record<PictureSize | 'poster', Encoded>>;
  width?: number;
  height?: number;
  duration_s?: number;
  waveform?: number[];
  blurhash?: string;
};

/** What a browser might execute, or nothing here understands, is only ever handed out to be saved. */
const inert_type = 'application/octet-stream';

const image_types = ['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif', 'image/avif', 'image/tiff'];

/** Types of sound and video by what detection calls them: what they are served as with a picture, and without one. */
const playable: Record<string, { video?: string; audio?: string }> = {
  'application/ogg': { video: 'video/ogg', audio: 'audio/ogg' },
  'audio/aac': { audio: 'audio/aac' },
  'audio/flac': { audio: 'audio/flac' },
  'audio/mp4': { audio: 'audio/mp4' },
  'audio/mpeg': { audio: 'audio/mpeg' },
  'audio/ogg': { audio: 'audio/ogg' },
  'audio/wav': { audio: 'audio/wav' },
  'audio/webm': { audio: 'audio/webm' },
  'audio/x-flac': { audio: 'audio/flac' },
  'audio/x-m4a': { audio: 'audio/mp4' },
  'video/matroska': { video: 'video/x-matroska', audio: 'audio/webm' },
  'video/mp4': { video: 'video/mp4', audio: 'audio/mp4' },
  'video/ogg': { video: 'video/ogg', audio: 'audio/ogg' },
  'video/quicktime': { video: 'video/quicktime', audio: 'audio/mp4' },
  'video/webm': { video: 'video/webm', audio: 'audio/webm' },
};

/**
 * Reads an upload. Pictures are written anew; sound and video that can be played are kept without their metadata; all
 * else is `other`, and kept as it is.
 * @throws ApiError `validation_failed` for a picture that cannot be read or is too large to unpack, and for sound or
 *   video whose metadata cannot be told from the rest
 */
export async function examine(bytes: Buffer, transcoder: Transcoder, limits: Limits): Promise<Examined> {
  const detected = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const type = detected?.mime.split(';', 1)[0] ?? '';
  if (image_types.includes(type)) return examinePicture(bytes);
  const types = playable[type];
  const heard = types && (await readSound(bytes, types.audio ?? inert_type, limits));
  if (heard?.has_video && types?.video) return examineFilm(bytes, types.video, heard, transcoder);
  if (heard?.has_audio && !heard.has_video && types?.audio) return examineSound(bytes, types.audio, heard, transcoder);
  return { kind: 'other', content_type: inert_type, bytes, pictures: {} };
}

async function examinePicture(bytes: Buffer): Promise<Examined> {
  const { main, sizes, blurhash } = await encodePictures(bytes);
  const { width, height } = main;
  return { kind: 'image', content_type: 'image/webp', bytes: main.bytes, pictures: sizes, width, height, blurhash };
}

async function examineSound(
  bytes: Buffer,
  content_type: string,
  heard: Heard,
  transcoder: Transcoder,
): Promise<Examined> {
  const { duration_s, waveform } = heard.waveform
    ? heard
    : { ...heard, ...(await hear(bytes, content_type, transcoder)) };
  return {
    kind: 'audio',
    content_type,
    bytes: stripMetadata(bytes, content_type),
    pictures: {},
    ...(duration_s === undefined ? {} : { duration_s: toMilliseconds(duration_s) }),
    ...(waveform ? { waveform } : {}),
  };
}

/** Sound that only the transcoder can decode. */
async function hear(
  bytes: Buffer,
  content_type: string,
  transcoder: Transcoder,
): Promise<{ duration_s: number; waveform: number[] } | undefined> {
  let listener: Listener | undefined;
  const whole = await transcoder.listen(bytes, content_type, (samples, sample_rate) => {
    listener ??= createListener(sample_rate);
    listener.hear([samples]);
  });
  return whole ? listener?.result() : undefined;
}

async function examineFilm(
  bytes: Buffer,
  content_type: string,
  heard: Heard,
  transcoder: Transcoder,
): Promise<Examined> {
  const film: Examined = { kind: 'video', content_type, bytes: stripMetadata(bytes, content_type), pictures: {} };
  const facts = await transcoder.watch(bytes, content_type);
  const duration_s = heard.duration_s ?? facts?.duration_s;
  if (duration_s !== undefined) film.duration_s = toMilliseconds(duration_s);
  if (!facts) return film;
  const { sizes, blurhash } = await encodePictures(facts.poster);
  return { ...film, width: facts.width, height: facts.height, blurhash, pictures: { poster: sizes.large } };
}

/** Seconds, to the millisecond. */
const toMilliseconds = (duration_s: number) => Math.round(duration_s * 1000) / 1000;
