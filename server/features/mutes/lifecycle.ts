import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async purgeAccount({ db }, user_id, portion) {
    const gone = await db.run(sql`
      delete from mutes where id = any(array(
        select id from mutes where user_id = ${user_id}
        union all select id from mutes where muted_id = ${user_id} limit ${portion}::int))`);
    return gone >= portion;
  },
};
