/**
 * Pictures: read by their content, not their name, and re-encoded, so that nothing but the picture remains. Runs in a
 * decoder process.
 */
import { createHash } from 'node:crypto';
import { encode as encodeBlurhash } from 'blurhash';
import sharp, { type Sharp } from 'sharp';
import { invalid } from '../errors.ts';
import { default_limits } from '../load/limits.ts';

const avatar_px = 512;
const max_pixels = default_limits.picture_pixels;

// One picture at a time on one core: parallelism comes from other processes, and a cache would never hit.
sharp.concurrency(1);
sharp.cache(false);

/**
 * A square avatar picture: WebP of 512 pixels, upright, without metadata.
 * @throws ApiError `validation_failed` when the bytes are not a JPEG, PNG, WebP, GIF or AVIF picture of reasonable
 *   size
 */
export async function encodeAvatar(bytes: Uint8Array): Promise<{ bytes: Buffer; hash: string }> {
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
    return invalid({ file: 'is not a readable image (JPEG, PNG, WebP, GIF or AVIF)' }, { cause });
  }
}

/** A stored picture: WebP. */
export type Encoded = { bytes: Buffer; width: number; height: number };
/** The smaller sizes of a picture. */
export type PictureSize = 'small' | 'medium' | 'large';
/** A picture in all its sizes, and its BlurHash as placeholder. */
export type Pictures = { main: Encoded; sizes: Record<PictureSize, Encoded>; blurhash: string };

/** The longer side of each size, in pixels. Pictures are never enlarged. */
const picture_sizes_px = { small: 320, medium: 960, large: 1920 } as const;
/** The longer side of the main picture, in pixels. */
const main_px = 4096;
/** Limits of an animation, counted over all frames; beyond them only its first frame is stored. */
const animation = { frames: 200, pixels: 16_000_000 };

const formats = ['jpeg', 'png', 'webp', 'gif', 'heif', 'tiff'];

/**
 * Re-encodes a picture as WebP: upright, in sRGB, without metadata. An animation within the limits stays animated in
 * `main`, and is a still picture in the smaller sizes.
 * @throws ApiError `validation_failed` when it cannot be read or has more than 50 million pixels
 */
export async function encodePictures(bytes: Uint8Array): Promise<Pictures> {
  const open = (from: Uint8Array, animated = false) =>
    sharp(from, { limitInputPixels: max_pixels, failOn: 'error', animated });
  try {
    const { format, width = 0, height = 0, pages = 1, pageHeight = height } = await open(bytes, true).metadata();
    if (!formats.includes(format ?? '')) throw new Error(`the format ${format} is not taken`);
    const moves = pages > 1 && pages <= animation.frames && width * pageHeight * pages <= animation.pixels;
    const still = await write(open(bytes).autoOrient(), main_px, 1);
    const main = moves && format !== 'tiff' ? await writeAnimation(open(bytes, true)) : still;
    const large = await write(open(still.bytes), picture_sizes_px.large);
    const medium = await write(open(large.bytes), picture_sizes_px.medium);
    const small = await write(open(medium.bytes), picture_sizes_px.small);
    return { main, sizes: { small, medium, large }, blurhash: await blur(open(small.bytes)) };
  } catch (cause) {
    return invalid({ file: 'is an unreadable image or has too many pixels' }, { cause });
  }
}

async function write(picture: Sharp, max_px: number, effort = 3): Promise<Encoded> {
  const { data, info } = await picture
    .resize({ width: max_px, height: max_px, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82, effort })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

async function writeAnimation(picture: Sharp): Promise<Encoded> {
  const { data, info } = await picture.webp({ quality: 75, effort: 1 }).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}

/** The blurred placeholder (https://blurha.sh), with more components along the longer side. */
async function blur(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize({ width: 32, height: 32, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [across, down] = info.width >= info.height ? [4, 3] : [3, 4];
  return encodeBlurhash(new Uint8ClampedArray(data), info.width, info.height, across, down);
}
