import { picture_name, sendPicture } from '../../domain/files/stored-picture.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, Type } from '../../kernel/schema.ts';

export const getAvatar = endpoint({
  id: 'getAvatar',
  route: 'GET /avatars/{avatar}',
  summary: 'Get an avatar',
  gate: 'public',
  kind: 'stream',
  extension: true,
  path: object({ avatar: Type.String({ pattern: picture_name }) }),
  async run({ path: { avatar }, db, services }) {
    // The name begins with its owner's identifier.
    const owner_id = `usr_${avatar.slice(0, 26)}`;
    if (await db.maybe(sql`select 1 from users where id = ${owner_id} and suspended_at is not null`)) fail('not_found');
    return sendPicture(services.blobs, `avatars/${avatar}`, avatar, true);
  },
});
