import { picture_name, sendPicture } from '../../domain/files/stored-picture.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, Type } from '../../kernel/schema.ts';
import { isSuspended } from './queries.ts';

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
    if (await isSuspended(db, owner_id)) fail('not_found');
    return sendPicture(services.blobs, `avatars/${avatar}`, avatar, true);
  },
});
