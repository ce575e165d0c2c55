/**
 * What sound and video say of their makers: where, when, by whom, on what. It is taken out by content, without decoding
 * anything, so that what is heard and seen stays as it was, byte for byte.
 */
import { stripMatroska } from './metadata-matroska.ts';
import { stripMp4 } from './metadata-mp4.ts';
import { stripOgg } from './metadata-ogg.ts';
import { cutTags, stripFlac, stripWave } from './metadata-sound.ts';

const mp4_types = new Set(['audio/mp4', 'video/mp4', 'video/quicktime']);
const ebml_id = 0x1a45dfa3;

const startsWith = (bytes: Buffer, text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;

/**
 * The same recording without its metadata. Takes time and memory in proportion to the file, whatever it holds.
 * @param bytes a file of sound or video, which is not changed
 * @param content_type what it is served as
 * @throws ApiError `validation_failed` with `file` when its structure contradicts itself, so that nobody can tell what
 *   it holds
 */
export function stripMetadata(bytes: Buffer, content_type: string): Buffer {
  if (mp4_types.has(content_type)) return stripMp4(Buffer.from(bytes));
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === ebml_id) return stripMatroska(Buffer.from(bytes));
  // Tags of MP3 stand before and behind files of other kinds too, which players skip there.
  const bare = cutTags(bytes);
  if (startsWith(bare, 'fLaC')) return stripFlac(bare);
  if (startsWith(bare, 'WAVE', 8)) return stripWave(bare);
  if (startsWith(bare, 'OggS')) return stripOgg(Buffer.from(bare));
  return bare;
}
