import { isPhotoShown, photoBlob } from '../../domain/contacts/contact-photos.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { object, Type } from '../../kernel/schema.ts';

/** What it names never changes; only its owner's devices know the name. */
const cache_control = 'private, max-age=31536000, immutable';

export const getContactPhoto = endpoint({
  id: 'getContactPhoto',
  route: 'GET /contact-photos/{photo}',
  summary: 'Get the photo of a contact',
  description: 'Whoever has its address, which stands in the contact.',
  gate: 'public',
  kind: 'stream',
  extension: true,
  path: object({ photo: Type.String({ pattern: '^[0-9a-z]{26}-[0-9a-f]{32}\\.webp$' }) }),
  async run({ path: { photo }, db, services }) {
    if (!(await isPhotoShown(db, photo))) fail('not_found');
    const blob = found(await services.blobs.get(photoBlob(photo)));
    return reply(
      200,
      { stream: blob.body },
      {
        'content-type': 'image/webp',
        'content-length': String(blob.size_bytes),
        'cache-control': cache_control,
        etag: `"${photo}"`,
        'content-security-policy': "default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
      },
    );
  },
});
