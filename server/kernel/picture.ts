/** Pictures: read by what they hold, not by their name, and written anew, so that nothing but the picture is kept. */
import { createHash } from 'node:crypto';
import { invalid } from './errors.ts';

const avatar_px = 512;
/** More pixels than any camera's: a picture that unpacks to more is made to fill the memory. */
const max_pixels = 50_000_000;

/**
 * A square picture for an avatar: WebP of 512 pixels, upright, without metadata.
 * @throws ApiError `validation_failed` when the bytes are not a JPEG, PNG, WebP, GIF or AVIF picture of sane size
 */
export async function encodeAvatar(bytes: Buffer): Promise<{ bytes: Buffer; hash: string }> {
  const { default: sharp } = await import('sharp');
  try {
    const picture = sharp(bytes, { limitInputPixels: max_pixels, failOn: 'error' });
    const { format } = await picture.metadata();
    if (!['jpeg', 'png', 'webp', 'gif', 'heif'].includes(format ?? ''))
      throw new Error(`the format ${format} is not taken`);
    const encoded = await picture
      .rotate()
      .resize(avatar_px, avatar_px, { fit: 'cover' })
      .webp({ quality: 82 })
      .toBuffer();
    return { bytes: encoded, hash: createHash('sha256').update(encoded).digest('hex').slice(0, 32) };
  } catch (cause) {
    return invalid({ file: 'is not a picture that can be read (JPEG, PNG, WebP, GIF or AVIF)' }, { cause });
  }
}
