import { Account, presentAccount, requireAccount } from '../../domain/accounts/accounts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { decodeAvatar } from '../../kernel/media/media.ts';
import { after } from '../../kernel/time.ts';
import { change as inChange } from '../../kernel/services.ts';
import { removeBlob } from './jobs.ts';
import { setAvatar } from './queries.ts';

/** How long an unreferenced picture is kept, in seconds: longer than a change may take. */
const discard_after_s = 60;

export const uploadAvatar = endpoint({
  id: 'uploadAvatar',
  route: 'POST /me/avatar',
  summary: 'Upload an avatar',
  gate: 'token',
  kind: 'upload',
  max_file_bytes: 5 * 1024 * 1024,
  reply: Account,
  status: [201],
  errors: ['not_found'],
  async prepare({ caller, file, services }) {
    const bytes = file?.bytes ?? invalid({ file: 'is required' });
    const picture = await services.decoder.use(caller.user_id, (decode) => decodeAvatar(decode, bytes));
    // The name contains the owner, so that two people with the same picture do not share (and then lose) a file.
    const key = `${caller.user_id.slice(4)}-${picture.hash}.webp`;
    await services.blobs.put(`avatars/${key}`, picture.bytes, { content_type: 'image/webp' });
    return key;
  },
  async discard(key, services) {
    // Later, because a concurrent request may be about to refer to the same picture.
    await inChange(services, async ({ enqueue, now }) =>
      enqueue(removeBlob, { key: `avatars/${key}` }, { run_at: after(now, discard_after_s) }),
    ).catch((error: unknown) => services.log.warn({ err: error }, 'failed to remove an unused picture'));
  },
  async run({ caller, prepared: key, db, enqueue, services }) {
    const user = await requireAccount(db, caller.user_id);
    const { before } = (await setAvatar(db, user.id, key)) ?? fail('not_found');
    if (before && before !== key) enqueue(removeBlob, { key: `avatars/${before}` });
    return presentAccount({ ...user, avatar_key: key }, { services });
  },
});
