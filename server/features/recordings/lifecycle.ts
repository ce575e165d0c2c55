import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

export const lifecycle: Lifecycle = {
  async purgeAccount({ db }, user_id, portion) {
    const gone = await db.run(sql`
      delete from recordings_hidden where (recording_id, user_id) in (
        select recording_id, user_id from recordings_hidden where user_id = ${user_id} limit ${portion}::int)`);
    return gone === portion;
  },
};
