import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';

/** Removes a stored picture that nothing names any more, after the change that let go of it. */
export const removeBlob = job<{ key: string }>({
  name: 'me.remove-blob',
  max_attempts: 10,
  async run({ key }, services) {
    const name = key.slice('avatars/'.length);
    // A picture is called by its owner and its content: the same one may have come back in the meantime.
    const is_back = await services.db.maybe(
      sql`select 1 from users where id = ${`usr_${name.slice(0, 26)}`} and avatar_key = ${name}`,
    );
    if (!is_back) await services.blobs.remove(key);
  },
});
