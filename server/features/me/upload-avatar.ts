import { Account, presentAccount, requireAccount } from '../../domain/accounts.ts';
import { encodeAvatar } from '../../kernel/picture.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { removeBlob } from './jobs.ts';

export const uploadAvatar = endpoint({
  id: 'uploadAvatar',
  route: 'POST /me/avatar',
  summary: 'Upload an avatar',
  gate: 'token',
  kind: 'upload',
  max_file_bytes: 5 * 1024 * 1024,
  reply: Account,
  status: [201],
  async prepare({ caller, file, services }) {
    const picture = await encodeAvatar(file?.bytes ?? invalid({ file: 'is required' }));
    // The owner is part of the name, so that two who upload the same picture do not share, and lose, one file.
    const key = `${caller.user_id.slice(4)}-${picture.hash}.webp`;
    await services.blobs.put(`avatars/${key}`, picture.bytes, { content_type: 'image/webp' });
    return key;
  },
  async run({ caller, prepared: key, db, enqueue, services }) {
    const user = await requireAccount(db, caller.user_id);
    await db.run(sql`update users set avatar_key = ${key} where id = ${user.id}`);
    if (user.avatar_key && user.avatar_key !== key) enqueue(removeBlob, { key: `avatars/${user.avatar_key}` });
    return presentAccount({ ...user, avatar_key: key }, services.public_url);
  },
});
