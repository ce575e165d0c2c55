/**
 * Inspects uploads in a decoder process: their type follows from their content, never from the file name or the
 * client's claim.
 */
import { fileTypeFromBuffer } from 'file-type';
import type { InspectedUpload, MediaTask } from './media.ts';
import { stripMetadata } from './metadata.ts';
import { encodeAvatar, encodePictures } from './picture.ts';
import { readAudio } from './audio.ts';

/** Runs a media task. @throws ApiError `validation_failed` with `file` */
export function run({ act, bytes }: MediaTask): Promise<unknown> {
  if (act === 'avatar') return encodeAvatar(bytes);
  if (act === 'pictures') return encodePictures(bytes);
  // A transferred buffer may start at any offset; readers of 16-bit samples need an even one.
  return look(Buffer.from(new Uint8Array(bytes).buffer));
}

/** Content that a browser might execute, or that is not recognised, is only offered as a download. */
const inert_type = 'application/octet-stream';

const image_types = ['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif', 'image/avif', 'image/tiff'];

/** Detected audio and video types, and the content types they are served as: with video, and without. */
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
 * Reads an upload. Pictures are re-encoded; playable audio and video are stored without their metadata; anything else
 * is stored unchanged, as `other`.
 * @throws ApiError `validation_failed` for a picture that cannot be read or is too large, and for audio or video whose
 *   metadata cannot be separated
 */
async function look(bytes: Buffer): Promise<InspectedUpload> {
  const detected = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const type = detected?.mime.split(';', 1)[0] ?? '';
  if (image_types.includes(type)) return inspectPicture(bytes);
  const types = playable[type];
  const audio = types && (await readAudio(bytes, types.audio ?? inert_type));
  const played_as = audio?.has_video ? types?.video : audio?.has_audio ? types?.audio : undefined;
  if (!audio || !played_as) return { kind: 'other', content_type: inert_type, pictures: {} };
  const { has_video, duration_s, waveform } = audio;
  return {
    kind: has_video ? 'video' : 'audio',
    content_type: played_as,
    bytes: stripMetadata(bytes, played_as),
    pictures: {},
    ...(duration_s === undefined ? {} : { duration_s }),
    ...(waveform ? { waveform } : {}),
  };
}

async function inspectPicture(bytes: Buffer): Promise<InspectedUpload> {
  const { main, sizes, blurhash } = await encodePictures(bytes);
  const { width, height } = main;
  return { kind: 'image', content_type: 'image/webp', bytes: main.bytes, pictures: sizes, width, height, blurhash };
}
