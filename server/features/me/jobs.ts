import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';

/** Deletes an unreferenced picture, after the change that removed the last reference. */
export const removeBlob = job<{ key: string }>({
  name: 'me.remove-blob',
  max_attempts: 10,
  lane: 'providers',
  async run({ key }, services) {
    const name = key.slice('avatars/'.length);
    // A picture is named by owner and content: the same one may have been uploaded again meanwhile.
    const is_back = await services.db.maybe(
      sql`select 1 from users where id = ${`usr_${name.slice(0, 26)}`} and avatar_key = ${name}`,
    );
    if (!is_back) await services.blobs.remove(key);
  },
});
