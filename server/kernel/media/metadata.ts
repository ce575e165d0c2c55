/**
 * Identifying metadata of audio and video: place, time, author, device. It is removed without decoding, so that the
 * media stay the same, byte for byte.
 */
import { stripMatroska } from './metadata-matroska.ts';
import { stripMp4 } from './metadata-mp4.ts';
import { stripOgg } from './metadata-ogg.ts';
import { stripTags, stripFlac, stripWave } from './metadata-audio.ts';

const mp4_types = new Set(['audio/mp4', 'video/mp4', 'video/quicktime']);
const ebml_id = 0x1a45dfa3;

const startsWith = (bytes: Buffer, text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;

/**
 * Removes the metadata of a file. Uses time and memory proportional to its size, whatever it contains.
 * @param bytes an audio or video file, which is not modified
 * @param content_type what it is served as
 * @throws ApiError `validation_failed` with `file` when its structure is inconsistent, so that its content is uncertain
 */
export function stripMetadata(bytes: Buffer, content_type: string): Buffer {
  if (mp4_types.has(content_type)) return stripMp4(Buffer.from(bytes));
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === ebml_id) return stripMatroska(Buffer.from(bytes));
  // MP3 tags also occur around files of other types, where players skip them.
  const bare = stripTags(bytes);
  if (startsWith(bare, 'fLaC')) return stripFlac(bare);
  if (startsWith(bare, 'WAVE', 8)) return stripWave(bare);
  if (startsWith(bare, 'OggS')) return stripOgg(Buffer.from(bare));
  return bare;
}
