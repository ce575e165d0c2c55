import { job } from '../../kernel/job.ts';
import { isAvatar } from './queries.ts';

/** Deletes an unreferenced picture, after the change that removed the last reference. */
export const removeBlob = job<{ key: string }>({
  name: 'me.remove-blob',
  max_attempts: 10,
  lane: 'providers',
  async run({ key }, services) {
    const name = key.slice('avatars/'.length);
    // A picture is named by owner and content: the same one may have been uploaded again meanwhile.
    if (!(await isAvatar(services.db, `usr_${name.slice(0, 26)}`, name))) await services.blobs.remove(key);
  },
});
