import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async purgeAccount({ db }, user_id, portion) {
    const gone = await db.run(sql`
      delete from blocks where id = any(array(
        select id from blocks where blocker_id = ${user_id}
        union all select id from blocks where blocked_id = ${user_id} limit ${portion}::int))`);
    return gone >= portion;
  },
};
