/** Stored pictures under content-hashed names: immutable. */
import type { Blobs } from '../../engines/ports.ts';
import { reply } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';

/** The name of such a picture: its owner's part, and the hash. */
export const picture_name = '^[0-9a-z]{26}-[0-9a-f]{32}\\.webp$';

/**
 * Sends a stored WebP.
 * @param shared whether shared caches may store it and other origins may embed it
 * @throws ApiError `not_found`
 */
export async function sendPicture(blobs: Blobs, blob_key: string, name: string, shared: boolean) {
  const blob = found(await blobs.get(blob_key));
  return reply(
    200,
    { stream: blob.body },
    {
      'content-type': 'image/webp',
      'content-length': String(blob.size_bytes),
      'cache-control': `${shared ? 'public' : 'private'}, max-age=31536000, immutable`,
      etag: `"${name}"`,
      'content-security-policy': "default-src 'none'",
      'cross-origin-resource-policy': shared ? 'cross-origin' : 'same-origin',
    },
  );
}
