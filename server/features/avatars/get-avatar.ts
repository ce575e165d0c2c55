import { sql } from '../../kernel/database/database.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { object, Type } from '../../kernel/schema.ts';

/** The name holds a hash of the content: what it names never changes, so that everybody may keep it. */
const cache_control = 'public, max-age=31536000, immutable';

export const getAvatar = endpoint({
  id: 'getAvatar',
  route: 'GET /avatars/{avatar}',
  summary: 'Get an avatar',
  gate: 'public',
  kind: 'stream',
  extension: true,
  path: object({ avatar: Type.String({ pattern: '^[0-9a-z]{26}-[0-9a-f]{32}\\.webp$' }) }),
  async run({ path, db, services }) {
    // The name begins with its owner's identifier.
    const owner_id = `usr_${path.avatar.slice(0, 26)}`;
    if (await db.maybe(sql`select 1 from users where id = ${owner_id} and suspended_at is not null`)) fail('not_found');
    const blob = found(await services.blobs.get(`avatars/${path.avatar}`));
    return reply(
      200,
      { stream: blob.body },
      {
        'content-type': 'image/webp',
        'content-length': String(blob.size_bytes),
        'cache-control': cache_control,
        etag: `"${path.avatar}"`,
        'content-security-policy': "default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
      },
    );
  },
});
